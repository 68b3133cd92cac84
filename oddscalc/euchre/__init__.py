"""Euchre with two, three and four hands: rules as data, open hands solved, odds of bids."""
