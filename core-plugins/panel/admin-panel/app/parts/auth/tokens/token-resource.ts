/** Where the service lists API tokens. */
export const resource = { key: 'api-tokens', path: '/admin/api-tokens' }
