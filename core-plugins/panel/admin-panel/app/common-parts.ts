/*
 * Modules that nearly every screen uses. Exported from the application's entry point, they are in the first script; otherwise
 * the build would create dozens of small scripts, one for each set of screens that share a module.
 */

export { formatDay, formatMoment } from './content/list/cells/format.ts'
export { useEntries } from './content/list/data/use-entries.ts'
export { useTitles } from './content/list/data/use-titles.ts'
export { stateFromQuery, stateToQuery } from './content/list/state/list-state.ts'
export { hasDraftsBeside } from './content/schema/drafts-beside.ts'
export { fieldKindOf, panelOptionsOf, useFieldKind } from './content/schema/field-kinds.ts'
export { StateLabel } from './content/schema/state-label.tsx'
export { stateNamed } from './content/schema/state-named.ts'
export { valueKindOf } from './content/schema/value-kinds.ts'
export { admin } from './ground/api/admin.ts'
export { numberText } from './ground/i18n/number-text.ts'
export { problemText } from './ground/i18n/problem-text.ts'
export { Badge } from './ground/kit/badge/badge.tsx'
export { Checkbox } from './ground/kit/checkbox/checkbox.tsx'
export { FieldFrame } from './ground/kit/field/field.tsx'
export { Select } from './ground/kit/field/select.tsx'
export { usePausedText } from './ground/kit/field/use-paused-text.ts'
export { useIsNarrow } from './ground/kit/page/use-is-narrow.ts'
export { Popover } from './ground/kit/popover/popover.tsx'
export { PluginPart } from './shell/plugins/plugin-part.tsx'
export { runAction } from './shell/plugins/run-action.ts'
