/** The API list of tokens. */
export const resource = { key: 'api-tokens', path: '/admin/api-tokens' }
