import { useMutation, useQueryClient } from '@tanstack/react-query'
import { api } from '../../ground/api/client.ts'
import { errorText } from '../../ground/i18n/problem-text.ts'
import { toast } from '../../ground/kit/toast/toast.tsx'
import { discussionKey } from './use-comments.ts'

interface DiscussionWrite {
  readonly method: 'POST' | 'PUT' | 'DELETE'
  readonly path: string
  readonly body?: unknown
}

/** Writes comments and assignments of an entry; errors are shown, and typed text is kept. */
export function useDiscussionWrite(type: string, id: number) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: ({ method, path, body }: DiscussionWrite) =>
      api.send(method, path, body === undefined ? {} : { body }),
    onSuccess: () => queries.invalidateQueries({ queryKey: discussionKey(type, id) }),
    onError: (error) => toast('danger', errorText(error)),
  })
}
