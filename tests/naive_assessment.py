"""The slow twins of `engine.assessment`, row by row: written from the papers, with no look at leaves."""

import numpy as np


def delong(scores: np.ndarray, is_class: np.ndarray) -> tuple[float, float]:
    """(area, standard error) by DeLong, DeLong and Clarke-Pearson (1988), equations 1 to 6: every pair is compared."""
    x, y = scores[is_class], scores[~is_class]
    m, n = x.size, y.size
    psi = np.array([[1.0 if b < a else 0.5 if a == b else 0.0 for b in y] for a in x])
    theta = psi.sum() / (m * n)
    v10, v01 = psi.sum(axis=1) / n, psi.sum(axis=0) / m
    s10, s01 = ((v10 - theta) ** 2).sum() / (m - 1), ((v01 - theta) ** 2).sum() / (n - 1)
    return float(theta), float(np.sqrt(s10 / m + s01 / n))


def weighted_delong(scores: np.ndarray, is_class: np.ndarray, weights: np.ndarray) -> tuple[float, float]:
    """The same with weighted means, and as many rows of each kind as Kish (1965) counts."""
    x, y, u, v = scores[is_class], scores[~is_class], weights[is_class], weights[~is_class]
    psi = (x[:, None] > y) + 0.5 * (x[:, None] == y)
    v10, v01 = psi @ v / v.sum(), u @ psi / u.sum()
    theta = float(u @ v10 / u.sum())
    m, n = u.sum() ** 2 / (u @ u), v.sum() ** 2 / (v @ v)
    s10, s01 = u @ (v10 - theta) ** 2 / u.sum(), v @ (v01 - theta) ** 2 / v.sum()
    return theta, float(np.sqrt(s10 / (m - 1) + s01 / (n - 1)))


def delong_difference(first: np.ndarray, second: np.ndarray, is_class: np.ndarray) -> tuple[float, float, float]:
    """(difference of the areas, its standard error) by DeLong, DeLong and Clarke-Pearson (1988), equations 2 to 8:
    every pair is compared by both scores, and the contrast is (1, −1). And the degrees of freedom of a sum of two
    variances by Satterthwaite (1946), equation 17."""
    m, n = is_class.sum(), (~is_class).sum()
    theta, v10, v01 = np.zeros(2), np.zeros((2, m)), np.zeros((2, n))
    for r, scores in enumerate((first, second)):
        x, y = scores[is_class], scores[~is_class]
        psi = np.array([[1.0 if b < a else 0.5 if a == b else 0.0 for b in y] for a in x])
        theta[r], v10[r], v01[r] = psi.sum() / (m * n), psi.sum(axis=1) / n, psi.sum(axis=0) / m
    s10, s01 = np.zeros((2, 2)), np.zeros((2, 2))
    for r in range(2):
        for s in range(2):
            s10[r, s] = ((v10[r] - theta[r]) * (v10[s] - theta[s])).sum() / (m - 1)
            s01[r, s] = ((v01[r] - theta[r]) * (v01[s] - theta[s])).sum() / (n - 1)
    contrast = np.array([1.0, -1.0])
    parts = contrast @ s10 @ contrast / m, contrast @ s01 @ contrast / n
    freedom = sum(parts) ** 2 / (parts[0] ** 2 / (m - 1) + parts[1] ** 2 / (n - 1))
    return float(contrast @ theta), float(np.sqrt(sum(parts))), float(freedom)


def murphy(said: np.ndarray, truth: np.ndarray, weights: np.ndarray) -> tuple[float, float, float]:
    """(reliability, resolution, uncertainty) by Murphy (1973): rows with the same forecast are a collection.

    said: float[n, K], the forecasts. truth: int[n], the class that came true, perhaps beyond the K of the forecasts.
    """
    n_classes = max(said.shape[1], int(truth.max()) + 1)
    forecasts = np.zeros((len(said), n_classes))
    forecasts[:, : said.shape[1]] = said.round(12)
    came = np.eye(n_classes)[truth]
    climate = np.average(came, axis=0, weights=weights)
    reliability = resolution = 0.0
    for forecast in np.unique(forecasts, axis=0):
        rows = (forecasts == forecast).all(axis=1)
        share = np.average(came[rows], axis=0, weights=weights[rows])
        part = weights[rows].sum() / weights.sum()
        reliability += part * ((forecast - share) ** 2).sum()
        resolution += part * ((share - climate) ** 2).sum()
    return float(reliability), float(resolution), float((climate * (1 - climate)).sum())


def multinomial_error(figure, counts: np.ndarray) -> float:
    """The standard error of a figure of counts by the delta method, its slopes by differences."""
    shares, h = (counts / counts.sum()).ravel(), 1e-6
    slopes = np.empty(shares.size)
    for i in range(shares.size):
        up, down = shares.copy(), shares.copy()
        up[i], down[i] = up[i] + h, down[i] - h
        # the figure is one of shares: whatever they sum to, they are made shares again
        slopes[i] = (
            figure((up / up.sum()).reshape(counts.shape)) - figure((down / down.sum()).reshape(counts.shape))
        ) / (2 * h)
    covariance = (np.diag(shares) - np.outer(shares, shares)) / counts.sum()
    return float(np.sqrt(slopes @ covariance @ slopes))
