/** As many characters as the service takes with a transition. */
export const maxCommentLength = 10_000
