import { resolve } from 'node:path'
import {
  configService,
  defineExtension,
  defineSystemMiddleware,
  systemMiddleware,
  Type,
} from 'mortise/plugin'
import { lineOf } from './line.ts'
import { createLineWriter } from './line-writer.ts'
import { appendTo } from './target.ts'

export default defineExtension({
  name: 'audit-stream',
  displayName: 'Audit stream',
  description: 'Writes content changes as lines of JSON to a file or stdout',
  version: '1.0.0',
  kind: 'plugin',
  engines: { mortise: '>=0.1.0' },
  configSchema: Type.Object({
    // Not in the panel: permission to change settings should not include choosing which files the service
    // writes.
    target: Type.String({
      title: 'Target',
      description: 'A file, or - for stdout; empty switches the stream off',
      default: '',
      tier: 'infrastructure',
    }),
    withEntries: Type.Boolean({
      title: 'With entries',
      description: 'Whether each line holds the whole entry in addition to its type and id',
      default: false,
    }),
  }),
  uses: { config: configService },

  init({ config, services, contribute, log, onDispose }) {
    if (config.target === '') return
    const target = config.target === '-' ? '-' : resolve(services.config.workingDirectory, config.target)
    const writer = createLineWriter({ append: appendTo(target), log })
    onDispose(() => writer.close())
    contribute(
      systemMiddleware,
      defineSystemMiddleware({
        name: 'audit-stream: write lines',
        events: ['app:start', 'content:*'],
        order: 100,
        run(event, next) {
          writer.push(lineOf(event, { withEntry: config.withEntries }))
          return next()
        },
      }),
    )
  },
})
