"""Resampling: the same recipe for a tree, followed again and again on other rows of one table.

Folds and samples share the columns of the table: no value is sorted again. A sample that holds a row several times
holds its codes several times, so all that grows, prunes and counts trees knows nothing of it.

    recipe              how a tree is made of training rows
    cross_validation    its error on rows that took no part in making it
    samples             bootstrap samples and subsamples, and the trees made of them
    stability           which splits and predictions return
    forest              the average of many trees
"""
