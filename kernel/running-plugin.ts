import { AsyncLocalStorage } from 'node:async_hooks'

/** Follows whatever the code starts: promises, timers, events of its sockets. */
const running = new AsyncLocalStorage<string | undefined>()

/** Runs a task as code of a plugin, so that unhandled errors are attributed to it. */
export function runAsPlugin<T>(plugin: string, task: () => T): T {
  return running.run(plugin, task)
}

/** Runs a task as the service's own: what a plugin's code leads on to. */
export function runAsService<T>(task: () => T): T {
  return running.run(undefined, task)
}

/** The plugin whose code is running, or has started what is; undefined for the service itself. */
export function runningPlugin(): string | undefined {
  return running.getStore()
}
