import { QueryClient } from '@tanstack/react-query'
import { MortiseError } from '../../../../../../client/client.ts'

const maxRetries = 2

/** The cache of API responses: the only place where server data is kept. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 60 * 60_000,
      // A refused request would be refused again; only network and server errors are retried.
      retry: (count, error) => count < maxRetries && !(error instanceof MortiseError && error.status < 500),
    },
  },
})
