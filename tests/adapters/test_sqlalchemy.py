"""SQLAlchemy: statements, the constraint in the database, and migrations of Alembic.

Owns what ``for_sqlalchemy`` promises. Imports SQLAlchemy, with SQLite in memory. Invariant: the
constraint is tried in the database itself.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator
from typing import Annotated, Any

import pytest
import sqlalchemy as sa
from api_inputs import SECRETS, attacks
from sqlalchemy.dialects import mysql, postgresql
from sqlalchemy.orm import DeclarativeBase, Mapped, Session, mapped_column
from sqlalchemy.schema import CreateTable

from uriproof import Policy, Rule, is_valid
from uriproof.adapters.for_sqlalchemy import RefusedValue, URIType, render_item, uri_constraint

URI = Annotated[str, Rule()]
HTTPS = Rule(policy=Policy(schemes=["https"], max_length=99))


class Base(DeclarativeBase):
    type_annotation_map = {URI: URIType()}  # noqa: RUF012 -- as SQLAlchemy has it


class Link(Base):
    __tablename__ = "link"
    id: Mapped[int] = mapped_column(primary_key=True)
    url: Mapped[URI]
    home: Mapped[URI | None]
    secure: Mapped[str | None] = mapped_column(URIType(HTTPS))
    __table_args__ = (uri_constraint("url", name="url_is_a_uri"),)


@pytest.fixture(scope="module")
def engine() -> Iterator[sa.Engine]:
    made = sa.create_engine("sqlite://", poolclass=sa.StaticPool)
    Base.metadata.create_all(made)
    yield made
    made.dispose()


@pytest.fixture
def session(engine: sa.Engine) -> Iterator[Session]:
    with Session(engine) as made:
        yield made
        made.rollback()


def test_texts_are_validated_when_they_are_stored(session: Session) -> None:
    session.add(Link(url="HTTP://h/%7e", secure="https://h/"))
    session.flush()
    assert session.scalars(sa.select(Link.url)).one() == "HTTP://h/%7e"
    found = Link.url.like("HTTP:%") & Link.home.is_(None) & Link.url.in_(["HTTP://h/%7e", "a b"])
    assert session.scalars(sa.select(Link).where(found)).one().home is None
    assert session.scalars(sa.select(Link).where(Link.url == "a b")).all() == []
    length = Link.__table__.c.secure.type.length  # type: ignore[attr-defined]
    assert (length, Link.__table__.c.url.type.length) == (99, 2000)  # type: ignore[attr-defined]


@pytest.mark.parametrize("text", SECRETS)
def test_no_error_and_no_log_has_a_password(
    session: Session, text: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "sqlalchemy")
    statements: list[Any] = [
        (sa.insert(Link).values(url=text),),
        (sa.insert(Link), [{"url": "a:b"}, {"url": text}]),
        (sa.update(Link).values(home=text),),
    ]
    for statement in statements:
        with pytest.raises(RefusedValue) as caught:
            session.execute(*statement)
        assert caught.value.report.violations
        error = caught.getrepr(chain=True, style="value")
        assert "S3KRET" not in f"{error} {caught.value} {caught.value!r} {caplog.text}"
        assert caught.value.__context__ is None
    with pytest.raises(TypeError, match="the value must be a str, not bytes"):
        session.execute(sa.insert(Link).values(url=text.encode()))


def test_the_constraint(session: Session) -> None:
    for text in [*attacks(), "http://h/\n", "\nhttp://h/", "http://h/\nx"]:
        if "\0" in text or any("\ud800" <= c <= "\udfff" for c in text):
            continue  # no text of a database
        try:
            with session.begin_nested():
                session.execute(sa.insert(Link).values(url=sa.literal(text, sa.String)))
        except sa.exc.IntegrityError:
            assert not is_valid(text), text
        else:
            assert is_valid(text), text


def test_the_constraint_of_other_databases() -> None:
    written = str(CreateTable(Link.__table__).compile(dialect=postgresql.dialect()))  # type: ignore[arg-type,no-untyped-call]
    assert "CONSTRAINT url_is_a_uri CHECK (url ~ '^(?:" in written
    with pytest.raises(sa.exc.CompileError, match="the expressions of mysql cannot validate URIs"):
        CreateTable(Link.__table__).compile(dialect=mysql.dialect())  # type: ignore[arg-type]


@pytest.mark.prove
def test_postgresql_reads_the_constraint() -> None:
    pytest.importorskip("pwd", reason="no POSIX")
    from engines import postgres

    if missing := postgres.psql_missing():
        pytest.skip(missing)
    plain = postgresql.dialect(paramstyle="named")  # type: ignore[no-untyped-call]
    with postgres.server() as psql:
        psql(f"{CreateTable(Link.__table__).compile(dialect=plain)};")  # type: ignore[arg-type]
        for text in ("http://h/%41?a", "http://h/ ", "http://h/\n", "/a", "urn:a:b"):
            done = psql(f"insert into link(url) values ('{text}');", check=False)  # noqa: S608
            assert (done.returncode == 0) == is_valid(text), text


def test_migrations(engine: sa.Engine) -> None:
    autogenerate = pytest.importorskip("alembic.autogenerate")
    migration = pytest.importorskip("alembic.migration")
    with engine.connect() as connection:
        options = {"compare_type": True, "render_item": render_item}
        context = migration.MigrationContext.configure(connection, opts=options)
        assert autogenerate.compare_metadata(context, Base.metadata) == []
    assert render_item("type", URIType(HTTPS), None) == "sa.String(length=99)"
    assert render_item("type", sa.Integer(), None) is False
