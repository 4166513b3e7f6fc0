/** `/api`, or what the service has in its place. The page says so. */
export const apiPrefix = document.documentElement.dataset.api ?? '/api'
