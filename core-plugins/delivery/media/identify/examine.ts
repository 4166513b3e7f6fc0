import { defineTask } from '../../../foundation/threads/threads.ts'

/** Looks through a file on a thread. */
export const examineTask = defineTask<typeof import('./examine-task.ts').default>(
  new URL('./examine-task.ts', import.meta.url),
)
