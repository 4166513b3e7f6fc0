/** The query key of the user's own account. */
export const profileKey = 'own-account'
