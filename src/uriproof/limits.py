"""Limits on input, counts and time, each with its unit and its reason.

Owns every such number. Imports nothing. Invariant: a limit that two modules share is one name here.
How far an algorithm looks around, and how much of a text is shown, is defined next to the code.
"""

# Hosts and ports: the limits of the DNS, IPv4 and TCP

LONGEST_LABEL = 63
"""Octets of a label of a host name (RFC 1035 §2.3.4). No longer one is ever decoded, for Punycode
takes quadratic time."""

LONGEST_NAME = 253
"""Octets of a host name, less those that messages of the DNS add (RFC 1035 §2.3.4)."""

LONGEST_MAIL = 254
"""Octets of an email address: a path of 256 has it between angle brackets (RFC 5321 §4.5.3.1.3)."""

MOST_COMPOSED = 4
"""Code points that become one when a name is composed (UAX #15, NFC). A label or a name of more
than four times its octets is refused before it is mapped: mapping makes no such text short enough,
unless most of its characters are those that mapping leaves out, such as soft hyphens."""

LONGEST_WRITTEN_HOST = 9 * 1024
"""Code points of a host as it is written: the package ``idna`` maps names of 1,024 characters, four
times the longest name. Percent-encoded, each takes nine, and no character that takes twelve is
composed of four."""

MOST_IPV4_DIGITS = 32
"""Digits of a number in an IPv4 address, in any base and without leading zeros: no address has
more, and to convert them would be work without bound."""

GREATEST_PORT = 0xFFFF
"""A port has 16 bits (RFC 6335 §6)."""


# Texts: reading and reporting

LONGEST_TARGET = 8000
"""Octets of the target of a request, by default: the minimum that a server should take (RFC 9110
§4.1)."""

EXPLAINED = 16_384
"""Code points of a text whose violations are explained if the work is to be bounded: twice what
servers take (RFC 9110 section 4.1: 8,000 octets), and some 50 milliseconds at worst."""

MOST_BEGINNINGS = 1024
"""Schemes with their authorities whose verdicts a policy remembers: most applications see the same
hosts again and again."""

LONGEST_BEGINNING = 300
"""Characters of each of these: a name of a host has 253 (``LONGEST_NAME``). All of them take some
hundred kB."""

MOST_SUGGESTIONS = 3
"""Suggestions for a text: with more to choose from, nobody is helped."""

DEEPEST_CORRECTION = 3
"""Mistakes of one text that are corrected one after the other, such as quotation marks around a URI
without a scheme: more were never seen in one text, and each costs a check of all of it."""

LONGEST_MISTAKE = 20_000
"""Code points of a text in which mistakes are looked for: longer ones are data, not typed, and an
error about a megabyte is to cost little more than reading it."""

MOST_DETAILS = 20
"""Violations listed in details, by default; the rest are counted: an error of an API stays
short."""

MOST_REFUSED = 10
"""Violations of one request that a refusal holds, the rest is counted: an answer of 5 kB at most,
so that no small request is answered with a large one."""

MAX_MISSING = 40
"""Characters that can be missing at one place: an IPv6 address, the longest form of fixed length in
the grammars, has 39. It bounds the search in grammars whose words are longer."""

MAX_ELEMENT_STATES = 1_000
"""States that are searched for the way through one element of a list: more than the automaton of
any bundled list has, and a millisecond for a grammar of a user."""

MAX_WORD = 64
"""Characters that are read again to find the start and the end of a wrong word: the longest word
that a bundled grammar quotes has 17."""

LONGEST_WITH_PASSWORDS = 100_000
"""Characters of a text whose passwords are looked for closely: in a longer one all is masked from
the first colon to the last "@", so that an error about a megabyte costs little more than reading
it."""

MOST_PASSWORDS = 20
"""Passwords in a text for which sentences about it are looked through: beyond that none is shown,
so that many sentences about many passwords take linear time."""

LONGEST_PASSWORDS = 1000
"""Characters of all of these together, for the same reason."""

LONGEST_ENTITY = 12
"""Code points of a numeric character reference and its semicolon that advice reads: there is room
for leading zeros, but no end to them."""


# Tables of TOML: settings and lessons, possibly from strangers

MOST_TOML_STEPS = 10_000_000
"""Steps of reading keys with dots: the standard library takes the square of the parts of each."""

DEEPEST_TOML_KEY = 20
"""Names of a key whose line is looked up: longer ones cost the square of their length."""

TOML_INTEGER = 2**63
"""The absolute value of a number is less than this: TOML 1.0.0, "Integer"."""

MOST_PROBLEMS = 50
"""Problems of one file that are told: nobody reads more."""

MOST_ENTRIES = 1_000
"""Entries of a list or a table: each costs time for whatever is checked later."""

LONGEST_ENTRY = 100_000
"""Characters of a text in a table: a text of a lesson may be long, and all of it is in memory and
in each message that quotes it."""


# Other processes

STARTING_SECONDS = 60.0
"""Seconds in which a process starts, on the busiest machine; then something is wrong."""

GIT_SECONDS = 300
"""Git answers in seconds, in the largest repositories in a minute; a setting can name a pipe or a
device as a file to read, which never ends."""


# Grammars of strangers: reading them

MAX_GRAMMAR = 1_000_000
"""Code points of a grammar; the longest of a standard has a twentieth of that. Each element is read
with care, so that this can take half a minute."""

MAX_ELEMENT = 1_000
"""Code points of one element: ``abnf`` takes quadratic time on it."""

MAX_DIGITS = 21
"""No code point has more digits (binary, without leading zeros)."""

MAX_COUNT = 1_000_000_000
"""Rounds of a repetition: engines of regular expressions refuse counts of 32 bits."""

MAX_GROUPS = 50
"""Groups inside groups; far more than any specification has, far less than Python's stack."""

MOST_UNKNOWN_NAMES = 50
"""Near names are looked for in this many faults of one text: each look takes time."""


# Grammars of strangers: automata, expressions and parsers made of them

MAX_STEPS_OF_WORK = 2_000_000
"""Of making one thing from a grammar that nobody has tried before: a second or two."""

STEPS_AT_ONCE = 500_000
"""Steps of a subset construction that a verdict waits for: half a second. If it takes more, the
recognizer serves: it needs none, and some 10 µs a character."""

MAX_NFA_STATES = 200_000
"""Places: two seconds. Start rules of bundled grammars have up to 11,000."""

MAX_NFA_PIECES = 2_000_000
"""Pieces that the ranges of a grammar cut each other into: each is kept."""

MAX_DFA_STATES = 20_000
"""States before they are made fewer: there can be exponentially many. URI-reference ends at 182."""

MAX_EXAMPLE = 300
"""Code points of the longest example that is spelled out: it stands in a message, and a rule may
ask for a million of one character."""

MAX_TRACED = 5_000
"""States of a trace; as an automaton they might be far fewer."""

MAX_SAMPLE_BITS = 400_000_000
"""For the numbers of texts by length: 50 MB."""

MAX_SAMPLE_CELLS = 1_000_000
"""Numbers of texts: a second or two."""

MAX_LISTED = 100_000
"""Characters of all texts of a language together, if these are listed: a tenth of a second."""

MAX_SHAPES = 1_000
"""Ways through one sequence: each option doubles them. URI-reference has 56."""

MAX_REGEX_NODES = 200_000
"""Parts of an expression, all of which ``re`` would have to compile; URI-reference has 3,600."""

MAX_QUICK = 1_000_000
"""Characters of texts that are not ASCII, after which a rule is worth the expression that is faster
but takes ``re`` a twentieth of a second to compile."""

MAX_FACTORED = 2_000
"""Steps to read together the alternatives that begin alike, else they stay as they are; those of an
IPv6 address take 300."""

MAX_WAYS = 100_000
"""Times that a text can be read again, at which counting stops: any number that grows with the text
is too many, and those that do not are small."""

MAX_LARK_COST = 5_000_000
"""Units of some 0.2 µs, measured on grammars of 30 to 8,000 productions: a second."""

MAX_LARK_TEXT = 100_000
"""Characters of a grammar: lark takes 10 µs or so to read each of them."""

MAX_LALR_ITEMS = 200_000
"""Items of all states of a table for LALR(1), with the rules that each begins: a second. There can
be exponentially many, and lark has no limit of its own."""

MAX_READING_STEPS = 500_000
"""Steps for any text, and further ones for each of its characters."""

STEPS_PER_CHARACTER = 200
"""Further steps for each of its characters: time stays linear."""


# Tools on grammars

MAX_COMPARED_PAIRS = 200_000
"""States of two automata in step: beyond this a comparison would take minutes."""

MAX_DERIVED = 50_000
"""Code points of a shortest text: one of them takes a second."""

MAX_BEGINNINGS = 10_000
"""Beginnings of texts to look at: some seconds."""

MAX_OVERLAP_STATES = 3_000
"""States of the automaton of one alternation: beyond this it is not examined."""

MAX_OVERLAP_STEPS = 1_000_000
"""Steps of comparing the alternatives of one alternation: half of those for a whole grammar."""

MAX_PATTERN = 1_000_000
"""Characters of a pattern whose counts are split, as engines need: none compiles a longer one."""

MAX_PATTERN_SETS = 100
"""Classes of one pattern that re is asked about: each is a look at all of Unicode."""

MAX_PATTERN_STATES = 40_000
"""States of the automaton of a pattern: enough for a host name of 127 labels of at most 63
characters, which takes 16,000."""

MAX_PATTERN_CELLS = 2_000_000
"""States times classes of characters: their table takes most of the memory."""

MAX_PATTERN_STEPS = 2_000_000
"""Moves from place to place while the automaton is made: a few seconds."""

MAX_EXPRESSION_SETS = 4_000
"""Sets in an expression made from an automaton: a longer one is not worth printing."""

MAX_EXPRESSION_STATES = 100
"""States of an automaton that an expression is worked out from: beyond it these hardly ever stay
below ``MAX_EXPRESSION_SETS``. Of the rules of RFC 3986 that have 169 states or more none does, and
each takes more than a second to find that out."""

MAX_LINEAR_PLACES = 6_000
"""Places of an expression that is worth a proof of linear time."""

MAX_LINEAR_STEPS = 400_000
"""Steps of the search for that proof, after which it fails."""


# The linter: files, settings and its cache

LARGEST_FILE = 256 * 1024 * 1024
"""Bytes of the largest file that is read, by default: its text and its lines are in memory, several
times as much, and nothing that people write is as large."""

LARGEST_IGNORE = 1 << 20
"""Bytes of a file of patterns to ignore: the largest of those of GitHub's collection have some
thousand."""

MOST_ASTERISKS = 3
"""Asterisks of such a pattern in one name: pathspec turns it into an expression that might try each
way to divide a name among them, which with this many stays below some million steps."""

MOST_ANY_FOLDERS = 2
"""Double asterisks of such a pattern, for the same reason."""

LARGEST_SETTINGS = 1_000_000
"""Bytes of a file of settings: those that people write have some thousands."""

DEEPEST_EXTENDS = 20
"""Files that extend each other: people have two or three, and each costs a level of recursion."""

LONGEST_GLOB = 4_096
"""Characters of a pattern, with its braces expanded: a path of Linux has no more."""

LARGEST_BASELINE = 16_000_000
"""Bytes of a baseline: it has 130 for a diagnostic, and takes ten times as much memory."""

LONGEST_STORED = 50_000
"""Characters of a result that is stored: minified files have long lines."""

MOST_CACHED = 500_000
"""Entries that a cache keeps: some forty megabytes at most."""

MOST_CACHES = 32
"""Files of a cache: one a tree and version of the code."""

MOST_SARIF_RESULTS = 25_000
"""Results of a run that GitHub takes; one more, and it takes none."""

MOST_ANNOTATIONS = 10
"""Annotations of one kind that GitHub shows of a step."""

LARGEST_SUMMARY = 1 << 20
"""Octets of a step's summary that GitHub takes."""


# Data: files that are scanned

LONGEST_RECORD = 16 << 20
"""Octets of the longest line that is read: a file of one line must not fill the memory."""

LARGEST_FETCHED = 64 << 30
"""Octets of a Parquet file of the Web, which is fetched as a whole: an answer without an end would
fill the disk."""

FETCH_SECONDS = 30
"""Seconds to wait for a server of files, each time: one that is silent must not hold a scan."""

LONGEST_FIRST_RECORD = 1 << 16
"""Octets in which the first record of CSV has to end: its header decides what is read."""

MOST_HOSTS = 10_000
"""Hosts that are kept, those with most invalid rows: a crawl has millions, and a report shows the
first."""

LONGEST_COUNTED_HOST = 500
"""Code points of a host that is counted: a DNS name has at most 253 (RFC 1035 §2.3.4)."""

MOST_EXAMPLES = 3
"""Examples of a code that are kept: the first that are not too long."""

LONGEST_EXAMPLE = 2_000
"""Code points of an example: nobody would read a longer text."""


# OpenAPI: documents and values

MOST_REFERENCES = 100
"""References that lead from one to the next: without an end, they are a circle."""

MOST_SCHEMAS = 10_000
"""Schemas that one leads to, with arrays and objects of data; or that apply to one value: each is
looked at for every value, and a document may say a hundred times of each that it is several
others."""

DEEPEST_SCHEMA = 50
"""Schemas that apply to one value, each in the one before: one that applies to itself has no
end."""

MOST_NUMBER_DIGITS = 1000
"""Digits of a number: Python takes the square of their number to read it, and refuses 4,300."""

MOST_PATTERN_STEPS = 100_000
"""Steps back of a pattern that has to take some: it does not hold if it takes longer."""

LARGEST_DOCUMENT = 64 << 20
"""Octets of the files of a document: five times the largest that was found, and some minutes of
work."""

MOST_DOCUMENT_FILES = 10_000
"""Files of a document: three times as many as the largest one has that was found."""

DEEPEST_JSON = 64
"""Arrays and objects in one another in a body: a reader and a validator of JSON Schema need a few
levels of Python's stack for each, of which there are 1,000; other libraries take 64, too."""

LARGEST_READ_BODY = 1 << 20
"""Octets of a body that is read, by default: what proxies let through by default (nginx), and a
validator of JSON Schema takes about a second for."""

MOST_LIKENED = 3
"""Unknown parameters that near names are looked for: to compare all with all would take too
long."""

MOST_BASE_PATHS = 100
"""Paths of the servers of one operation, each variable with each of its values: each is kept."""


# The service

LARGEST_BODY = 64 * 1024 * 1024
"""Octets of a request's body, by default: a million texts of the length that most URLs have,
all of which are in memory."""

MOST_ITEMS = 1_000_000
"""Texts of a request, by default: each is work, some microseconds at least, and this many take
seconds at best."""

LONGEST_ITEM = 100_000
"""Code points of a text, by default: far more than servers take as a target (RFC 9110 §4.1:
8,000)."""

MOST_VIOLATIONS = 100
"""Violations of a text that a service explains, by default, and counts the rest; and that a scan
writes: a text of 100,000 characters may have half as many, and an answer would be a hundred times
as large as its request."""

REQUEST_SECONDS = 300
"""Seconds of a request, by default, so that none holds a worker for ever."""

MOST_SECONDS = 86_400
"""Seconds that the service can be told to wait: a day. Clocks cannot add any integer."""

MOST_OTHER_KEYS = 4096
"""Octets of a line in addition to its text, for its other keys, which are names and an id: without
a bound, an endless line would fill the memory."""


# Teaching: pages, lessons, worksheets and pupils' files

LONGEST_FIELD = 200_000
"""Code points of a text in a request of the page that has no limit of its own: twice the greatest
of those."""

LONGEST_FIELD_GRAMMAR = 40_000
"""Code points of a grammar in such a request: reading takes long (see ``MAX_GRAMMAR``)."""

LONGEST_FIELD_NAME = 1_000
"""Code points of a name in such a request: no rule of a grammar has a longer one, for no element
has (``MAX_ELEMENT``)."""

MOST_ANSWER_STEPS = 1_500_000
"""Steps of work of one answer: a second or two."""

LARGEST_ANSWER = 4_000_000
"""Characters of an answer as JSON, about: more than any page shows."""

MOST_FAULTS = 100
"""Faults of a grammar that are told; the rest are counted."""

MOST_BODY_OCTETS = 4_000_000
"""Octets of a request's body: more than any request that ``handle`` reads."""

LINGER_SECONDS = 1.0
"""Seconds of silence after which a refused client is no longer read: closing while it sends would
reset the connection, and it would not see why it was refused (RFC 9112 §9.6)."""

LONGEST_CHECKED = 100_000
"""Code points of a text that the page has checked: somebody waits at each key, and this much takes
a fraction of a second. It is what the service takes, too (``LONGEST_ITEM``)."""

LONGEST_UNTRACED = 5_000
"""Code points of such a text of a rule without a finite automaton, which takes longer to read."""

MOST_EXPLAINED = 500
"""Violations that the page has explained; the rest are counted: each is an element that a browser
has to draw, and nobody reads as many."""

LONGEST_EXPLAINED = 3_000
"""Code points of a text whose derivation is shown, which has several nodes for each."""

MOST_TAKEN_FOR_OTHERS = 100
"""Blamed code points of a text for each of which, in its tree, any other is tried: that takes all
states of an automaton at each. Of more, each is left out instead."""

LONGEST_STEPPED = 2_000
"""Code points of a text that is walked through step by step: each is several steps, which the page
holds all together."""

LONGEST_DRAWN = 5_000
"""Code points of a text whose tree is drawn: it has several nodes for each, and each is some
elements of the page."""

WIDEST_RAILROAD = 1_000
"""Columns of such a diagram: a window has a tenth of that, and nobody reads what is wider."""

MOST_SAMPLES = 100
"""Samples in one answer: more than a class looks at, and each is a walk through the automaton."""

LONGEST_SAMPLE = 500
"""Code points of one of them: some lines of a page."""

MOST_WITNESSES = 50
"""Texts of either side in one answer about two grammars: the shortest come first, and tell what
differs; the others tell it again."""

LONGEST_LESSON = 100_000
"""Code points of a lesson's file: the room of fifty of the longest texts that it may hold."""

MOST_EXERCISES = 40
"""Exercises of a lesson, options of a question, conditions of a text: one lesson is one sitting,
and whatever it claims is checked when it is read."""

LONGEST_LESSON_TEXT = 2_000
"""Code points of a text in a lesson, and of one that a reader writes: a page of a book, and what
``LONGEST_STEPPED`` can walk through."""

MOST_QUESTIONS = 60
"""Questions of a worksheet, which is printed: several pages, and more than one lesson's work."""

MOST_SHEET_RULES = 8
"""Rules that a worksheet asks about: their names are in its code, which people type."""

GREATEST_SEED = 2**31 - 1
"""Maximum seed, so that it can be typed."""

LONGEST_SHEET_ANSWER = 400
"""Code points of an answer that are read: the longest that a worksheet asks for has a fraction of
that, and a longer one is wrong whatever follows."""

LARGEST_PUPILS_FILE = 1_000_000
"""Octets of a pupil's file: more than any grammar may have (``MAX_GRAMMAR``), so that no more of
it need be in memory."""

GRADING_SECONDS = 20
"""Seconds for each rule of a pupil, by default: a grammar might never end."""

GRADING_MEMORY = 4 << 30
"""Octets of memory for one pupil's grammar: one that would fill the machine ends in a
MemoryError."""

LONGEST_GRADE_MESSAGE = 2_000
"""Code points of a message that are kept: it is a cell of a table of the whole class."""
