import { parse } from '@formatjs/icu-messageformat-parser'
import { useQuery as useAnyQuery } from '@tanstack/react-query'
import { navigate as navigateInBrowser } from 'wouter/use-browser-location'
import type {
  PanelModuleDefinition,
  PanelTexts,
  QueryOptions,
  QueryResult,
} from '../../panel-api/panel-api.ts'
import { queryClient } from '../ground/api/query-client.ts'
import { language, type TextValues, translator } from '../ground/i18n/translate.ts'

export { useEntry } from '../content/entry/entry-session.ts'
export { useField } from '../content/entry/use-field.ts'
export { useAccess } from '../ground/access/access.ts'
// The implementation of the declarations in ../../panel-api; conforms.ts checks that they match.
export { api } from '../ground/api/client.ts'
export { language } from '../ground/i18n/translate.ts'
export { Badge } from '../ground/kit/badge/badge.tsx'
export { Button, IconButton } from '../ground/kit/button/button.tsx'
export { Checkbox } from '../ground/kit/checkbox/checkbox.tsx'
export { Confirm, Dialog } from '../ground/kit/dialog/dialog.tsx'
export { EmptyState } from '../ground/kit/empty-state/empty-state.tsx'
export { FieldFrame } from '../ground/kit/field/field.tsx'
export { Select } from '../ground/kit/field/select.tsx'
export { NumberField, TextArea, TextField } from '../ground/kit/field/text-field.tsx'
export { Icon } from '../ground/kit/icon/icon.tsx'
export { Link } from '../ground/kit/link/link.tsx'
export { Skeleton, Spinner } from '../ground/kit/loading/loading.tsx'
export { Page } from '../ground/kit/page/page.tsx'
export { Switch } from '../ground/kit/switch/switch.tsx'
export { Tabs } from '../ground/kit/tabs/tabs.tsx'
export { toast } from '../ground/kit/toast/toast.tsx'
export { useSettings } from '../parts/runtime-config/use-settings.ts'

export const definePanelModule = (definition: PanelModuleDefinition): PanelModuleDefinition => definition

/** Hides the query library, so that plugins do not depend on its version. */
export function useQuery<Data>({ queryFn, ...options }: QueryOptions<Data>): QueryResult<Data> {
  const result = useAnyQuery({ ...options, queryFn: ({ signal }) => queryFn({ signal }) })
  const { data, error, isPending, isFetching, refetch } = result
  return { data, error, isPending, isFetching, refetch }
}

export const invalidate = (queryKey: readonly unknown[]): Promise<void> =>
  queryClient.invalidateQueries({ queryKey })

export const navigate = (path: string) => navigateInBrowser(`/admin${path}`)

/** Plugin texts are parsed at run time: only the panel's own go through its build. */
export function defineTexts<Name extends string>(texts: PanelTexts<Name>) {
  const all = { ...texts.en, ...texts[language()] } as Readonly<Record<string, string>>
  const fill = translator<Name>((name) => parse(all[name] ?? name))
  return (name: Name, values?: TextValues) =>
    values === undefined ? (all[name] ?? name) : fill(name, values)
}
