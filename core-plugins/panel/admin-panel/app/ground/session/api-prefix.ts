/** The service's API prefix, `/api` by default. The page contains it. */
export const apiPrefix = document.documentElement.dataset.api ?? '/api'
