import { appStart, appStop, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { changeLogService } from '../../entries/changes/changes.ts'
import { contentService } from '../../entries/content/content.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { signalsService } from '../../foundation/signals/signals.ts'
import { composePanelEvents } from './compose-panel-events.ts'
import { liveEventsService } from './panel-events.ts'
import { publishChanges } from './publish-changes.ts'
import { liveEventsTable, presenceTable } from './tables.ts'

/** Streams must be ended first, because the server waits for open requests. */
const beforeTheServer = { step: 'end streams', before: ['http'] } as const

/** Publishes events and presence to open panels. */
export const panelEventsPlugin = definePlugin({
  name: 'panel-events',
  description: 'Publishes to open panels what has changed and who is in which entry, in all processes',
  uses: { auth: authService, content: contentService, database: databaseService, schemas: schemasService },
  usesIfPresent: { changes: changeLogService, signals: signalsService },
  provides: [liveEventsService],

  register({ contribute }) {
    for (const table of [liveEventsTable, presenceTable]) contribute(tables, table.spec)
  },

  init(context) {
    const { contribute, provide, on, onDispose } = context
    const parts = composePanelEvents(context)
    provide(liveEventsService, parts.events)
    publishChanges(context, parts.events)
    for (const route of parts.routes) contribute(routes, route)
    on(appStart, () => parts.start())
    on(appStop, () => parts.endStreams(), beforeTheServer)
    onDispose(() => parts.stop())
  },
})
