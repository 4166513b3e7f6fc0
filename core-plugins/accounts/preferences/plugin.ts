import { definePlugin } from '../../../kernel/index.ts'
import { databaseService, tables } from '../../foundation/database/database.ts'
import { routes } from '../../foundation/http/http.ts'
import { schemasService } from '../../foundation/schemas/schemas.ts'
import { authService } from '../auth/auth.ts'
import { preferenceRoutes } from './preference-routes.ts'
import { createPreferenceStore } from './preference-store.ts'
import { preferencesTable, viewsTable } from './tables.ts'
import { viewRoutes } from './view-routes.ts'
import { createViewStore } from './view-store.ts'

/** Stores preferences of admin users and saved views of lists, private or shared. */
export const preferencesPlugin = definePlugin({
  name: 'preferences',
  description: 'Preferences of admin users, and views of lists that they save and share',
  uses: { auth: authService, database: databaseService, schemas: schemasService },

  register({ contribute }) {
    for (const table of [preferencesTable, viewsTable]) contribute(tables, table.spec)
  },

  init({ services: { auth, database, schemas }, contribute }) {
    for (const route of preferenceRoutes(createPreferenceStore(database))) contribute(routes, route)
    const views = viewRoutes({ store: createViewStore(database), auth, schemas })
    for (const route of views) contribute(routes, route)
  },
})
