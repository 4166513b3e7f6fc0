/** The key of what is read of the own account. */
export const profileKey = 'own-account'
