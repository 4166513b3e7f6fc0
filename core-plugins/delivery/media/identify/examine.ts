import { defineTask } from '../../../foundation/threads/threads.ts'

/** Identifies and cleans a file on a worker thread. */
export const examineTask = defineTask<typeof import('./examine-task.ts').default>(
  new URL('./examine-task.ts', import.meta.url),
)
