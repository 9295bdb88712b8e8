"""Programming languages: which files are theirs, how their strings escape, and how they comment.

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
    """Languages whose strings, or all text, write characters alike: ``escapes`` names how, of
    strings "c" or none, of all text "tex", "texinfo" or "roff". A suffix is in one."""

    suffixes: str
    escapes: str = "c"
    names: str = ""


LANGUAGES = (
    Language(
        ".ac .ada .adb .ads .agda .aidl .al .am .apex .applescript .as .asd .ash .asm .awk .bash"
        " .bats .bazel .bison .bsh .builder .bzl .c .c++ .cairo .capnp .cc .ceylon .cgi .cjs .ck"
        " .cl .clj .cljc .cljs .cls .cmake .coffee .command .containerfile .cpp .cr .cs .csh .csx"
        " .cts .cu .cue .cuh .cxx .d .dart .dash .ddl .dhall .di .dml .dockerfile .dox .dts .dtsi"
        " .ebuild .eclass .edn .el .eliom .elm .emacs .erl .es6 .escript .ex .exp .exs .fbs .fish"
        " .flow .fnl .frag .fs .fsi .fsscript .fsx .fun .gawk .gemspec .glsl .gn .gni .go .gotmpl"
        " .gql .gradle .graphql .groovy .gs .gvy .gyp .gypi .h .h++ .hack .hcl .hh .hlsl .hpp .hrl"
        " .hs .http .hx .hxx .hy .idl .idr .in .inc .inl .ino .install .ipp .itcl .janet .java"
        " .jbuilder .jflex .jl .js .jsm .jsonnet .jsx .ksh .kt .kts .l .lhs .libsonnet .lisp .ll"
        " .ls .lsp .lua .luau .m .m4 .mak .make .mat .matlab .meson .mjs .mk .ml .mli .mll .mly"
        " .mm .mod .module .moon .move .mts .nasm .nim .nix .nomad .odin .p6 .pde .pest .ph .php"
        " .php3 .php4 .php5 .php7 .phps .phpt .phtml .pike .pkb .pks .pl .pls .plt .pm .pm6 .pod"
        " .podspec .pp .pri .pro .prolog .proto .ps1 .psd1 .psgi .psm1 .psql .purs .pxd .pxi .py"
        " .pyi .pyt .pyw .pyx .qml .r .rabl .rake .raku .rakumod .rb .rbi .rbs .rc .rd .re .rego"
        " .res .rkt .rl .ron .rprofile .rpy .rs .ru .s .sage .sc .scala .scm .sh .sig .sld .sml"
        " .sol .spec .sps .sql .ss .star .sum .sv .swift .t .tcc .tcl .tcsh .templ .tf .tfvars"
        " .theme .thor .thrift .tk .tmpl .tpl .trigger .ts .tsx .v .v.ml .vala .vapi .vert .vhd"
        " .vhdl .wgsl .work .wsgi .xrl .y .yrl .yy .zig .zsh",
        names=".bashrc .emacs .profile .zshrc APKBUILD Berksfile Brewfile BUILD Caddyfile Capfile"
        " CMakeLists.txt conanfile configure Containerfile DESCRIPTION Dockerfile Fastfile Gemfile"
        " GNUmakefile Guardfile Jenkinsfile Justfile justfile Kbuild Kconfig Makefile makefile"
        " meson.build NAMESPACE PKGBUILD Podfile Procfile Rakefile SConscript SConstruct"
        " Vagrantfile WORKSPACE wscript",
    ),
    Language(
        ".abap .ado .ahk .au3 .bas .bat .cbl .cmd .cob .cpy .dfm .do .dpr .eps .f .f03 .f08 .f77"
        " .f90 .f95 .for .fpp .frm .ftn .inp .iss .lpr .nml .nsh .nsi .pas .pp.pas .ps .rex .sas"
        " .stata .vb .vba .vbs .vim",
        escapes="",
    ),
    Language(
        ".bbl .bib .bst .def .dtx .ins .latex .ltx .lyx .rnw .snw .sty .tex",
        escapes="tex",
    ),
    Language(
        ".texi .texinfo .txi",
        escapes="texinfo",
    ),
    Language(
        ".1 .1.in .1m .1x .2 .3 .3perl .3pm .4 .5 .5.in .6 .7 .8 .8.in .9 .man .mdoc .roff",
        escapes="roff",
    ),
)


@cache
def _by_ending() -> dict[str, Language]:
    return {end: one for one in LANGUAGES for end in f"{one.suffixes} {one.names}".split()}


def language(name: str) -> Language:
    """The language of a file, by its name; one with nothing special if it is not known.

    >>> language("src/a.test.ts").escapes, language("a.bib").escapes, language("unheard.of").escapes
    ('c', 'tex', '')
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
