import { QueryClient } from '@tanstack/react-query'
import { MortiseError } from '../../../../../../client/client.ts'

const maxRetries = 2

/** The cache of what the service has answered: the only place where data of the server is kept. */
export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      gcTime: 60 * 60_000,
      // A refusal stays a refusal; only what went wrong on the way is worth asking again.
      retry: (count, error) => count < maxRetries && !(error instanceof MortiseError && error.status < 500),
    },
  },
})
