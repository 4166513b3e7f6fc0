import { definePlugin } from '../../../kernel/index.ts'
import { configService, settings } from '../config/config.ts'
import { maxQueue, maxThreads, threadCount } from './settings.ts'
import { createTaskPool, type TaskPool } from './task-pool.ts'
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
    const most = threadCount(config)
    const pools: TaskPool[] = []
    const poolOf = (maxThreads: number) => {
      const pool = createTaskPool({ maxThreads, maxQueue: config.get(maxQueue) })
      pools.push(pool)
      return pool
    }
    provide(threadsService, {
      run: poolOf(most).run,
      runLong: poolOf(1).run,
      createLane: (maxThreads) => poolOf(Math.min(maxThreads, most)),
    })
    onDispose(() => Promise.all(pools.map((pool) => pool.close())))
  },
})
