/** The maximum length of a transition's comment. */
export const maxCommentLength = 10_000
