"""The words of a plan: how one bid is played out, as the kernels read it."""

from __future__ import annotations

from oddscalc.euchre.kernel_bits import U

(
    P_TRUMP,  # suit
    P_SEATS,
    P_MAKER,
    P_MAKERS,  # mask of the maker's side, also who sits out
    P_DEALER,
    P_TAKES,  # 1 if another dealer may take the upcard, 2 if that is a must
    P_UP,  # the upcard, trump layout
    P_THROW_UP,  # 1 if the upcard may be discarded
    P_DEFEND,  # 1 if defenders may play alone
    P_DECK,  # the deck's cards, trump layout
    P_DUMMY,  # 1 if the maker merges the dummy
    P_POOL,  # 1 if the upcard is still in the pool when the dummy is merged
    P_SEES,  # 1 if the dealer sees every card when discarding
    P_SWEPT,  # 1 if no trick must be told from one or two
    P_INNER,  # deals that decide the best five with a dummy
    P_SEED,
    P_ALONE,  # 1 if the maker plays alone
    P_KNOWN,  # what the maker sees when bidding: own hand and upcard, trump layout
) = map(U, range(18))
