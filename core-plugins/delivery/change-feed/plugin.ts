import { appStop, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { changeLogService } from '../../entries/changes/changes.ts'
import { contentQueriesService, contentService } from '../../entries/content/content.ts'
import { configService, defaultLocale, locales, settings } from '../../foundation/config/config.ts'
import { databaseService } from '../../foundation/database/database.ts'
import { httpService, policies, routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { mediaService } from '../media/media.ts'
import { createFeed } from './feed.ts'
import { createFollow } from './following.ts'
import { changeFeedRoutes, followPolicy } from './routes.ts'
import { maxWaiting, maxWaitingOfAddress } from './settings.ts'
import { createSnapshots } from './snapshot.ts'
import { createLook } from './visible-entries.ts'
import { createChangeWaiter } from './wait-for-changes.ts'
import { createWaiting } from './waiting.ts'

/** Waiting requests must end first, since the server waits for them. */
const beforeTheServer = { step: 'end waiting', before: ['http'] } as const

/** Lets clients follow changes. */
export const changeFeedPlugin = definePlugin({
  name: 'change-feed',
  description: 'Tells clients what has changed since they last asked, as far as they may read it',
  uses: {
    auth: authService,
    changeLog: changeLogService,
    config: configService,
    content: contentService,
    contentQueries: contentQueriesService,
    database: databaseService,
    http: httpService,
    schemas: schemasService,
  },
  usesIfPresent: { media: mediaService },

  register({ contribute }) {
    for (const setting of [maxWaiting, maxWaitingOfAddress]) contribute(settings, setting)
  },

  init({ services, contribute, on, log }) {
    const { auth, changeLog, config, http, media, schemas } = services
    const ofTypes = [...schemas.types.values()].flatMap(({ options }) => options.i18n.locales ?? [])
    const follow = createFollow({
      ...services,
      hasMedia: media !== undefined,
      locales: () => [...new Set([config.get(defaultLocale), ...config.get(locales), ...ofTypes])],
    })
    const look = createLook({ ...services, media })
    const feed = createFeed({ log: changeLog, look })
    const waiting = createWaiting({
      ...{ tail: changeLog.tail, log },
      limits: () => ({ all: config.get(maxWaiting), ofAddress: config.get(maxWaitingOfAddress) }),
    })
    const waiter = createChangeWaiter({ auth, feed, follow, waiting })
    const snapshots = createSnapshots({ ...services, look })
    contribute(policies, followPolicy(follow))
    for (const route of changeFeedRoutes({ feed, follow, http, log: changeLog, snapshots, waiter })) {
      contribute(routes, route)
    }
    on(appStop, () => waiting.stop(), beforeTheServer)
  },
})
