import { definePlugin } from '../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { maxQueue, maxThreads, threadCount } from './settings.ts'
import { createTaskPool } from './task-pool.ts'
import { threadsService } from './threads.ts'

/** Threads for work that would block the event loop. */
export const threadsPlugin = definePlugin({
  name: 'threads',
  description: 'Runs heavy work, such as thumbnails, on threads of its own',
  uses: { config: configService },
  provides: [threadsService],

  register({ contribute }) {
    contribute(settings, maxThreads)
    contribute(settings, maxQueue)
  },

  init({ services: { config }, provide, onDispose }) {
    const limits = { maxQueue: config.get(maxQueue) }
    const pool = createTaskPool({ ...limits, maxThreads: threadCount(config) })
    const longTasks = createTaskPool({ ...limits, maxThreads: 1 })
    provide(threadsService, { run: pool.run, runLong: longTasks.run })
    onDispose(() => Promise.all([pool.close(), longTasks.close()]))
  },
})
