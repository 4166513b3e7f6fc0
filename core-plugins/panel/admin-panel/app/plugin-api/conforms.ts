import type * as declared from '../../panel-api/panel-api.ts'
import * as provided from './panel.ts'

/** Does not compile where the panel does not keep what it promises plugins. */
export const panelApi: typeof declared = provided
