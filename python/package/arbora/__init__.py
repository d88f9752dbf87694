"""Bayesian optimisation of conditional search spaces."""
from __future__ import annotations
from arbora.errors import *
from arbora.expression import Expression, Parameter, Term
from arbora.space import Space
