import type * as declared from '../../panel-api/panel-api.ts'
import * as provided from './panel.ts'

/** Fails to compile if the panel does not provide what the declarations promise to plugins. */
export const panelApi: typeof declared = provided
