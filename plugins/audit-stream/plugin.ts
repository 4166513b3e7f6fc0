import { resolve } from 'node:path'
import { configService } from '../../core-plugins/config/config.ts'
import { defineSystemMiddleware, systemMiddleware } from '../../core-plugins/extensions/extensions.ts'
import { definePlugin } from '../../kernel/index.ts'
import { lineOf } from './line.ts'
import { createLineWriter } from './line-writer.ts'
import { appendTo } from './target.ts'

export default definePlugin({
  name: 'audit-stream',
  displayName: 'Audit stream',
  description: 'Passes changes of content on, as lines of JSON in a file or on stdout',
  version: '1.0.0',
  kind: 'plugin',
  engines: { mortise: '>=0.1.0' },
  configSchema: {
    // Not for the panel: whoever may change settings should not choose which files the service writes.
    target: {
      type: 'string',
      label: 'Target',
      description: 'A file, or - for stdout; empty switches the stream off',
      default: '',
      tier: 'infrastructure',
    },
    withEntries: {
      type: 'boolean',
      label: 'With entries',
      description: 'Whether each line holds the whole entry besides its type and id',
      default: false,
    },
  },
  uses: { config: configService },

  init({ config, services, contribute, log, onDispose }) {
    if (config.target === '') return
    const target =
      config.target === '-' ? '-' : resolve(services.config.workingDirectory, String(config.target))
    const writer = createLineWriter({ append: appendTo(target), log })
    onDispose(() => writer.close())
    contribute(
      systemMiddleware,
      defineSystemMiddleware({
        name: 'audit-stream: write lines',
        events: ['app:start', 'content:*'],
        order: 100,
        run(event, next) {
          writer.push(lineOf(event, { withEntry: config.withEntries === true }))
          return next()
        },
      }),
    )
  },
})
