"""Euchre with two, three and four hands: rules as data, open hands solved, odds of bids.

>>> from oddscalc import euchre
>>> euchre.chance("JS JC", seat="partner", hand="AS KS 9H TD AC", up="QS").probability
Fraction(25, 51)
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from oddscalc.euchre.bid_fitting import sheet
    from oddscalc.euchre.bid_table import write_bid_table
    from oddscalc.euchre.bidding import BiddingPolicy, bidding_policy
    from oddscalc.euchre.bids import Action, BidOdds, bid_odds
    from oddscalc.euchre.card_odds import CardOdds, CardWorth
    from oddscalc.euchre.cardplay import Weighing, play_odds
    from oddscalc.euchre.chances import CardChance, chance
    from oddscalc.euchre.closed import skill_of
    from oddscalc.euchre.deals_table import write_deals
    from oddscalc.euchre.duplicates import Duplicates, play_duplicates
    from oddscalc.euchre.frames import bid_odds_frame
    from oddscalc.euchre.hand_outcomes import HandOutcomes, read_outcomes
    from oddscalc.euchre.matches import MatchTable, match_table, write_match_table
    from oddscalc.euchre.positions import Position, read_position
    from oddscalc.euchre.rules import EuchreGame, game_names, load_game, read_game
    from oddscalc.euchre.score_odds import ScoreOdds, WinChance
    from oddscalc.euchre.sheet_strategy import BidSheet
    from oddscalc.euchre.solver import DealSolution, solve_deal
    from oddscalc.euchre.strength import bid_strengths, draw_bids

__all__ = [
    "Action",
    "BidOdds",
    "BidSheet",
    "BiddingPolicy",
    "CardChance",
    "CardOdds",
    "CardWorth",
    "DealSolution",
    "Duplicates",
    "EuchreGame",
    "HandOutcomes",
    "MatchTable",
    "Position",
    "ScoreOdds",
    "Weighing",
    "WinChance",
    "bid_odds",
    "bid_odds_frame",
    "bid_strengths",
    "bidding_policy",
    "chance",
    "draw_bids",
    "game_names",
    "load_game",
    "match_table",
    "play_duplicates",
    "play_odds",
    "read_game",
    "read_outcomes",
    "read_position",
    "sheet",
    "skill_of",
    "solve_deal",
    "write_bid_table",
    "write_deals",
    "write_match_table",
]

_HOMES = {
    "frames": ("bid_odds_frame",),
    "bid_fitting": ("sheet",),
    "bidding": ("BiddingPolicy", "bidding_policy"),
    "bids": ("Action", "BidOdds", "bid_odds"),
    "card_odds": ("CardOdds", "CardWorth"),
    "cardplay": ("Weighing", "play_odds"),
    "closed": ("skill_of",),
    "deals_table": ("write_deals",),
    "duplicates": ("Duplicates", "play_duplicates"),
    "chances": ("CardChance", "chance"),
    "hand_outcomes": ("HandOutcomes", "read_outcomes"),
    "matches": ("MatchTable", "match_table", "write_match_table"),
    "score_odds": ("ScoreOdds", "WinChance"),
    "positions": ("Position", "read_position"),
    "rules": ("EuchreGame", "game_names", "load_game", "read_game"),
    "sheet_strategy": ("BidSheet",),
    "solver": ("DealSolution", "solve_deal"),
    "bid_table": ("write_bid_table",),
    "strength": ("bid_strengths", "draw_bids"),
}


def __getattr__(name: str) -> Any:
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(f"oddscalc.euchre.{module}"), name)
    raise AttributeError(f"module 'oddscalc.euchre' has no attribute '{name}'")
