"""Programming languages: which files are theirs, how they quote, and how they comment.

Owns a table. Imports only the standard library. Invariant: a suffix or a name is in one language;
markup and data have their own finders, and are not here.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import NamedTuple, TypeVar

_T = TypeVar("_T")


def by_ending(known: Mapping[str, _T], file: str) -> _T | None:
    """The facts about a file name, or else about its longest suffix."""
    base = file.replace("\\", "/").rpartition("/")[2]
    if base in known:
        return known[base]
    lower = base.lower()
    at = lower.find(".")
    while at >= 0:
        if lower[at:] in known:
            return known[lower[at:]]
        at = lower.find(".", at + 1)
    return None


def pairs(listed: str) -> dict[str, str]:
    """The pairs in a text, between white space.

    >>> pairs("a=b c=d")
    {'a': 'b', 'c': 'd'}
    """
    return dict(pair.split("=") for pair in listed.split())


class Language(NamedTuple):
    """A family of languages that quote and comment alike.

    ``quotes`` open and close a string in a line; ``line`` begin a comment that ends with it.
    ``escapes`` names how a string, or all text, writes characters: "c", none, or, of all text,
    "tex", "texinfo" or "roff".
    """

    suffixes: str
    quotes: str = "\"'"
    line: tuple[str, ...] = ()
    escapes: str = "c"
    names: str = ""


LANGUAGES: dict[str, Language] = {
    "python": Language(
        ".py .pyi .pyw .pyx .pxd .pxi .bzl .bazel .star .gyp .gypi .nim .pyt .sage .rpy .wsgi .jl",
        line=("#",),
        names="BUILD WORKSPACE SConstruct SConscript wscript conanfile",
    ),
    "javascript": Language(
        ".js .mjs .cjs .jsx .ts .mts .cts .tsx .es6 .coffee .ls .gs .qml .jsm .flow",
        quotes="\"'`",
        line=("//",),
    ),
    "c": Language(
        ".c .h .cc .cpp .cxx .c++ .hh .hpp .hxx .h++ .ino .inl .ipp .tcc .m .mm .cu .cuh .cl .glsl"
        " .vert .frag .hlsl .wgsl .idl .y .yy .l .ll .rl .proto .thrift .fbs .capnp .v .sv .vala"
        " .vapi .d .di .zig .odin .sol .move .as .hx .pde .rc .dtsi .dts .pike .ck .bison .in .am"
        " .mod .sum .work .dox",
        line=("//",),
    ),
    "java": Language(
        ".java .kt .kts .scala .sc .groovy .gradle .gvy .clj .cljs .cljc .edn .cs .csx .fs .fsx"
        " .fsi .fsscript .dart .apex .cls .trigger .ceylon .bsh .aidl .jflex",
        line=("//",),
        names="Jenkinsfile",
    ),
    "go": Language(".go .gotmpl .templ .tmpl .tpl", quotes="\"'`", line=("//",)),
    "rust": Language(".rs .ron .pest .swift .re .res .cairo", line=("//",)),
    "php": Language(
        ".php .php3 .php4 .php5 .php7 .phps .phtml .phpt .inc .module .install .theme .hack .hh",
        line=("//", "#"),
    ),
    "ruby": Language(
        ".rb .rbi .rbs .rake .gemspec .ru .podspec .jbuilder .builder .cr .ex .exs .thor .rabl",
        line=("#",),
        names="Gemfile Rakefile Podfile Vagrantfile Guardfile Capfile Brewfile Fastfile Berksfile",
    ),
    "perl": Language(
        ".pl .pm .pod .t .psgi .cgi .al .ph .raku .rakumod .p6 .pm6 .awk .gawk .tcl .tk .itcl .exp",
        line=("#",),
    ),
    "shell": Language(
        ".sh .bash .zsh .ksh .fish .csh .tcsh .ash .dash .bats .command .ebuild .eclass .mk .mak"
        " .make .cmake .pro .pri .nix .spec .m4 .ac .ps1 .psm1 .psd1 .dockerfile .containerfile"
        " .tf .tfvars .hcl .nomad .rego .cue .jsonnet .libsonnet"
        " .dhall .graphql .gql .gn .gni .meson .r .rprofile .rd .pp .http",
        line=("#",),
        names="Makefile makefile GNUmakefile Kbuild Kconfig Dockerfile Containerfile Justfile"
        " justfile CMakeLists.txt meson.build PKGBUILD APKBUILD Procfile Caddyfile"
        " .bashrc .zshrc .profile DESCRIPTION NAMESPACE"
        " configure",
    ),
    "batch": Language(".bat .cmd .nsi .nsh .iss .ahk .au3", escapes="", line=("::", ";")),
    "sql": Language(
        ".sql .psql .ddl .dml .pls .pks .pkb .hs .lhs .purs .elm .agda .idr .lua .luau .moon .adb"
        " .ads .ada .vhd .vhdl .applescript",
        line=("--",),
    ),
    "lisp": Language(
        ".el .lisp .lsp .cl .scm .ss .rkt .sld .sps .fnl .hy .janet .emacs .asd .asm .s .nasm",
        quotes='"',
        line=(";",),
        names=".emacs",
    ),
    "ml": Language(".ml .mli .mll .mly .sml .sig .fun .v.ml .eliom", quotes='"'),
    "erlang": Language(".erl .hrl .yrl .xrl .escript .mat .matlab .prolog .plt", line=("%",)),
    "fortran": Language(
        ".f .for .f77 .f90 .f95 .f03 .f08 .ftn .fpp .inp .nml", line=("!",), escapes=""
    ),
    "basic": Language(
        ".vb .vbs .bas .frm .vba .pas .pp.pas .dpr .dfm .lpr .cob .cbl .cpy .vim .abap .sas .do"
        " .ado .stata .rex .ps .eps",
        quotes='"',
        escapes="",
    ),
    "tex": Language(
        ".tex .ltx .latex .sty .bib .bst .dtx .ins .bbl .def .lyx .rnw .snw",
        quotes="",
        line=("%",),
        escapes="tex",
    ),
    "texinfo": Language(
        ".texi .texinfo .txi", quotes="", line=("@c ", "@comment "), escapes="texinfo"
    ),
    "roff": Language(
        ".1 .2 .3 .4 .5 .6 .7 .8 .9 .man .mdoc .roff .1x .3pm .3perl .1m .1.in .5.in .8.in",
        quotes="",
        escapes="roff",
    ),
}


@cache
def _by_ending() -> dict[str, Language]:
    found: dict[str, Language] = {}
    for one in LANGUAGES.values():
        for ending in (*one.suffixes.split(), *one.names.split()):
            found.setdefault(ending, one)
    return found


def language(name: str) -> Language:
    """The language of a file, by its name; one with nothing special if it is not known.

    >>> language("src/a.test.ts").quotes, language("Makefile").line
    ('"\\'`', ('#',))
    """
    return by_ending(_by_ending(), name) or _UNKNOWN


_UNKNOWN = Language("", escapes="")


_HASH = "bash cfg-py cmake coffee cr dockerfile elixir ex exs fish gd graphql jl ksh mk nim nix"
_HASH += " pl pm ps1 py pyi pyx r rake rb sh tcl tf zsh Makefile Dockerfile CMakeLists.txt"
_SLASHES = "c cc cjs cpp cs cts cxx d dart fs go groovy h hh hpp java js jsx kt kts m mjs mm"
_SLASHES += " mts php proto rs scala sol swift ts tsx v zig"
_DASHES = "ada adb ads elm hs lua sql vhd"

COMMENT_MARKS = (
    *((ending, "#", "") for ending in _HASH.split()),
    *((ending, "//", "") for ending in _SLASHES.split()),
    *((ending, "--", "") for ending in _DASHES.split()),
    *((ending, ";", "") for ending in ("asm", "clj", "cljs", "el", "lisp", "scm")),
    *((ending, "%", "") for ending in ("erl", "hrl", "tex", "sty", "cls")),
    *((ending, "(*", " *)") for ending in ("ml", "mli")),
)
"""Per suffix or name, what begins a comment at the end of a line, and what ends it."""

_THREE = "cs dart ex exs groovy java jl kt kts nim scala swift"
SPANNING: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(_THREE.split(), ('"""',)),
    **dict.fromkeys(["cjs", "cts", "go", "js", "jsx", "mjs", "mts", "ts", "tsx"], ("`",)),
    "toml": ('"""', "'''"),
    "rs": ('"',),
    "sql": ("'",),
}
"""Per suffix, the quotes between which a text can extend over the end of a line."""

BLOCKS = {"css": ("/*", "*/"), "ml": ("(*", "*)"), "mli": ("(*", "*)"), "lua": ("[[", "]]")}
"""Per suffix, what begins a block in which no comment begins, and what ends it."""

HEREDOCS = frozenset(["bash", "dockerfile", "ksh", "php", "pl", "pm", "rb", "sh", "zsh"])

INTERPRETERS = pairs(
    "awk=awk bash=sh dash=sh fish=fish gawk=awk ksh=sh lua=lua node=js nodejs=js perl=pl php=php"
    " python=py Rscript=r ruby=rb sh=sh tclsh=tcl zsh=sh"
)
"""The suffix of what each interpreter reads."""
