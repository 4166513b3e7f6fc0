import { definePlugin } from '../../../kernel/index.ts'
import { authService } from '../../accounts/auth/auth.ts'
import { databaseService } from '../../foundation/database/database.ts'
import { contentTables } from '../../foundation/schemas/schemas.ts'
import { contentWriteMiddleware, entryColumns, entryMeta } from '../content/content.ts'
import { authorMetas, lastAuthors } from './author-meta.ts'
import { authorsService } from './authors.ts'
import { authorColumns, authorTable } from './columns.ts'
import { keepAuthors } from './keep-authors.ts'

/** Records who created each entry, and who last wrote it. */
export const authorsPlugin = definePlugin({
  name: 'authors',
  description: 'Keeps who created and who last wrote an entry, for callers who see drafts',
  uses: { auth: authService, database: databaseService },
  provides: [authorsService],

  register({ contribute }) {
    contribute(contentTables, authorTable)
    contribute(entryColumns, authorColumns)
  },

  init({ services: { auth, database }, contribute, provide }) {
    provide(authorsService, { lastOf: lastAuthors(database) })
    contribute(contentWriteMiddleware, keepAuthors())
    for (const meta of authorMetas(database, auth)) contribute(entryMeta, meta)
  },
})
