"""The slow twin of the test of independence: the linear statistic and its moments under permutations, as Strasser and
Weber (1999) have them, with whole matrices. From Hothorn, Hornik and Zeileis (2006), equations 1 to 3."""

import numpy as np


def indicators(values):
    """float64[n, k]: a column for each different value."""
    return (np.asarray(values)[:, None] == np.unique(values)[None, :]).astype(float)


def quadratic(g, h, w):
    """(the quadratic form, its degrees of freedom) for g float64[n, p], h float64[n, q] and case weights w."""
    total = w.sum()
    statistic = np.einsum("i,ij,ik->jk", w, g, h).reshape(-1, order="F")  # vec: column by column
    mean_h = (w @ h) / total
    spread_h = np.einsum("i,ij,ik->jk", w, h - mean_h, h - mean_h) / total
    sum_g = w @ g
    expected = np.outer(sum_g, mean_h).reshape(-1, order="F")
    squares = np.einsum("i,ij,ik->jk", w, g, g)
    covariance = total / (total - 1) * np.kron(spread_h, squares)
    covariance -= 1 / (total - 1) * np.kron(spread_h, np.outer(sum_g, sum_g))
    apart = statistic - expected
    inverse = np.linalg.pinv(covariance, rcond=1e-9, hermitian=True)
    return float(apart @ inverse @ apart), int(np.linalg.matrix_rank(covariance, tol=1e-9 * abs(covariance).max()))
