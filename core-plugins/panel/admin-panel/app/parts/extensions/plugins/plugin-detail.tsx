import type { ListedPlugin } from '../../../../../../../client/admin.ts'
import { t } from '../../../ground/i18n/translate.ts'
import { Data, Facts } from '../../../ground/kit/resource-list/facts.tsx'

/** A plugin's description, why it is off, and what it contributes. */
export function PluginDetail({ plugin }: { readonly plugin: ListedPlugin }) {
  const { description, version, core, reason, contributes } = plugin
  return (
    <>
      <Facts
        facts={[
          [t('operations.plugins.description'), description],
          [t('operations.plugins.version'), version],
          [
            t('operations.plugins.origin'),
            core ? t('operations.plugins.groups.core') : t('operations.plugins.groups.own'),
          ],
          [t('operations.plugins.reason'), reason],
        ]}
      />
      <Data label={t('operations.plugins.routes')} value={listed(contributes.routes)} />
      <Data label={t('operations.plugins.settings')} value={listed(contributes.settings)} />
      <Data label={t('operations.plugins.panelItems')} value={listed(contributes.panelItems)} />
    </>
  )
}

const listed = (names: readonly string[]) => (names.length === 0 ? null : names.join('\n'))
