import { appStart, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { jobKinds, jobsService } from '../../background/jobs/jobs.ts'
import { schedules } from '../../background/schedules/schedules.ts'
import { storedEntriesService } from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { AppError, routes } from '../../foundation/http/http.ts'
import { threadsService } from '../../foundation/threads/threads.ts'
import { graphqlExtensions } from '../graphql/graphql.ts'
import { fileRemovals, mediaService, mediaUpdated } from '../media/media.ts'
import { composeImages } from './compose-images.ts'
import { type Images, imagesService } from './images.ts'
import { imageSettings } from './settings.ts'
import { variantsTable } from './variants/variant-store.ts'

/** Images in other sizes and formats, made on request; see docs/images.md. */
export const imagesPlugin = definePlugin({
  name: 'images',
  description: 'Makes images at the sizes and in the formats that pages ask for, and keeps them',
  uses: {
    auth: authService,
    config: configService,
    database: databaseService,
    storedEntries: storedEntriesService,
  },
  // Optional, so that a service without a media library need not switch off every plugin that builds on it.
  usesIfPresent: { jobs: jobsService, media: mediaService, threads: threadsService },
  provides: [imagesService],

  register({ contribute }) {
    for (const setting of imageSettings) contribute(settings, setting)
    contribute(tables, variantsTable.spec)
  },

  init(context) {
    const { contribute, provide, on, onDispose, log } = context
    const { jobs, media, threads, ...services } = context.services
    if (jobs === undefined || media === undefined || threads === undefined) {
      provide(imagesService, withoutMedia)
      return
    }
    const parts = composeImages({ ...services, jobs, media, threads }, log)
    provide(imagesService, parts.images)
    for (const kind of parts.jobKinds) contribute(jobKinds, kind)
    for (const route of parts.routes) contribute(routes, route)
    contribute(schedules, parts.schedule)
    contribute(fileRemovals, parts.removal)
    contribute(graphqlExtensions, parts.graphql)
    on(mediaUpdated, ({ media }) => parts.forget(media.filename))
    on(appStart, () => onDispose(parts.remember().stop))
  },
})

const withoutMedia: Images = {
  urlOf() {
    throw AppError.notFound('the media library')
  },
}
