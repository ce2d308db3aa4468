"""Parses load scripts, each in its dialect: from [[dialect, script], ...] to what their statements are.

Of a statement there are its kind, its shape without what is in its texts, its texts, and, where the parser does not know such
a statement, its first word: it is then a Command, of which nothing was checked.
"""

import json
import logging
import sys

import sqlglot
from sqlglot import exp

logging.disable(logging.CRITICAL)


def is_text(node):
    return isinstance(node, exp.Literal) and node.is_string


def statement(tree):
    command = next((node for node in tree.walk() if isinstance(node, exp.Command)), None)
    texts = [node.this for node in tree.walk() if is_text(node)]
    shape = tree.transform(lambda node: exp.Literal.string("text") if is_text(node) else node)
    for node in shape.walk():
        node.comments = None
    return {
        "kind": type(tree).__name__,
        "command": command.this.upper() if command else None,
        "shape": repr(shape),
        "texts": texts,
    }


def parsed(dialect, script):
    try:
        return [statement(tree) for tree in sqlglot.parse(script, dialect=dialect) if tree]
    except sqlglot.errors.SqlglotError as e:
        return str(e)


json.dump([parsed(*script) for script in json.load(sys.stdin)], sys.stdout)
