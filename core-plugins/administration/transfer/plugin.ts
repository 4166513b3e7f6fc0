import { appStart, assertUniqueNames, definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { auditService } from '../../background/audit/audit.ts'
import { fileRemovals, mediaService } from '../../delivery/media/media.ts'
import { localizationsService } from '../../editing/i18n/i18n.ts'
import { releasesService } from '../../editing/releases/releases.ts'
import { authorsService } from '../../entries/authors/authors.ts'
import { changeLogService } from '../../entries/changes/changes.ts'
import {
  bulkWritesService,
  contentService,
  storedEntriesService,
  trashService,
} from '../../entries/content/content.ts'
import { configService, settings } from '../../foundation/config/config.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { entryCompanions, transferSections } from '../../foundation/sections/sections.ts'
import { composeTransfer } from './compose-transfer.ts'
import { hiddenReferences } from './sections/hidden-references.ts'
import { forgetKept } from './sections/kept-hashes.ts'
import { transferSettings } from './settings.ts'
import { transferTables } from './tables.ts'
import { transferService } from './transfer.ts'

/** Compares environments, such as staging and production, and transfers content from one to the other. */
export const transferPlugin = definePlugin({
  name: 'transfer',
  description: 'Compares this environment with others, and transfers what differs',
  uses: {
    auth: authService,
    bulkWrites: bulkWritesService,
    config: configService,
    content: contentService,
    database: databaseService,
    schemas: schemasService,
    storedEntries: storedEntriesService,
    trash: trashService,
  },
  usesIfPresent: {
    audit: auditService,
    authors: authorsService,
    changeLog: changeLogService,
    localizations: localizationsService,
    media: mediaService,
    releases: releasesService,
  },
  provides: [transferService],
  points: [entryCompanions, transferSections],

  register({ contribute }) {
    for (const setting of transferSettings) contribute(settings, setting)
    for (const table of transferTables) contribute(tables, table)
    contribute(entryCompanions, hiddenReferences)
  },

  init({ services, provide, contribute, contributions, on, log }) {
    const parts = composeTransfer(
      services,
      {
        sections: () => contributions(transferSections),
        companions: () => contributions(entryCompanions),
      },
      log,
    )
    provide(transferService, parts.transfer)
    if (services.changeLog === undefined) on(appStart, () => forgetKept(services.database))
    for (const route of parts.routes) contribute(routes, route)
    if (parts.files === undefined) return
    for (const section of parts.files.sections) contribute(transferSections, section)
    for (const route of parts.files.routes) contribute(routes, route)
    contribute(fileRemovals, parts.files.forget)
  },

  boot({ contributionsByPlugin }) {
    assertUniqueNames('transfer section', contributionsByPlugin(transferSections))
    assertUniqueNames('entry companion', contributionsByPlugin(entryCompanions))
  },
})
