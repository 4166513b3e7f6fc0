import { appStart, appStop, definePlugin, type Repetition, repeat } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { changeLogService } from '../../entries/changes/changes.ts'
import { contentReadMiddleware, contentService } from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { policies, routes } from '../../foundation/http/http.ts'
import { type ContentType, schemasService } from '../../foundation/schemas/schemas.ts'
import { Clients } from './clients.ts'
import { Hub } from './hub.ts'
import { keepClients } from './keep-clients.ts'
import { liveService } from './live-service.ts'
import { followPolicy, liveRoute } from './route.ts'
import { maxClients, maxPerAddress } from './settings.ts'

/** Open streams must end first, since the server waits for its requests. */
const beforeTheServer = { step: 'end live streams', before: ['http'] } as const
const everyMs = 1_000

/** Notifies clients of changes immediately, so that they need not poll. */
export const livePlugin = definePlugin({
  name: 'live',
  description: 'Tells pages and other clients at once what has changed, as server-sent events',
  uses: {
    auth: authService,
    changes: changeLogService,
    config: configService,
    content: contentService,
    schemas: schemasService,
  },

  provides: [liveService],

  register({ contribute }) {
    for (const setting of [maxClients, maxPerAddress]) contribute(settings, setting)
  },

  init({ services, provide, contribute, contributions, on, onDispose, log }) {
    const { auth, changes, config, schemas } = services
    const clients = new Clients({
      ofProcess: () => config.get(maxClients),
      ofAddress: () => config.get(maxPerAddress),
    })
    const isRestricted = (type: ContentType) =>
      contributions(contentReadMiddleware).some((stage) => stage.matches({ type, operation: 'list' }))
    const hub = new Hub({ ...services, clients, isRestricted, log })
    contribute(policies, followPolicy({ auth, schemas }))
    provide(liveService, hub)
    const cursorOf = (position: number) => changes.cursorOf(position)
    contribute(routes, liveRoute({ auth, schemas, live: hub, cursorOf }))
    const onError = (error: unknown) => log.warn({ err: error }, 'live streams could not be looked after')
    let keeping: Repetition | undefined
    on(appStart, () => {
      keeping = repeat(() => keepClients({ auth, clients, hub }), { everyMs, onError })
    })
    const sendAllAway = () => {
      for (const client of clients.all()) client.sendAway()
    }
    on(appStop, sendAllAway, beforeTheServer)
    onDispose(() => keeping?.stop())
  },
})
