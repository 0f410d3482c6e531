"""TESA's logistic regression over 15 linguistically informed features (§5.2, Appendix C).

| file | what |
|---|---|
| `words`, `vectors`, `instances` | what an instance's words are |
| `features`, `extraction` | the 15 features, and the groups that an ablation leaves out |
| `coefficients` | what is learned, and the file it is kept in |
| `closed`, `softmax` | two ways of learning it: ours in a moment, the papers' own |
| `training`, `ranker` | from a training set to coefficients, from coefficients to rankings |
"""
