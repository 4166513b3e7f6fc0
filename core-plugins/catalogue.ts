import type { Plugin } from '../kernel/index.ts'
import { authPlugin } from './auth/plugin.ts'
import { type ConfigPluginOptions, createConfigPlugin } from './config/config.ts'
import { contentPlugin } from './content/plugin.ts'
import { databasePlugin } from './database/plugin.ts'
import { docsPlugin } from './docs/plugin.ts'
import { httpPlugin } from './http/plugin.ts'
import type { ProcessLog } from './log/log.ts'
import { createLogPlugin } from './log/plugin.ts'
import { schemasPlugin } from './schemas/plugin.ts'

/** The core plugins, in the order in which a reader should meet them. */
export function corePlugins({ log, ...options }: ConfigPluginOptions & { log: ProcessLog }): Plugin[] {
  return [
    createConfigPlugin(options),
    createLogPlugin(log),
    databasePlugin,
    schemasPlugin,
    httpPlugin,
    authPlugin,
    contentPlugin,
    docsPlugin,
  ]
}
