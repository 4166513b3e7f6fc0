import { useState } from 'react'
import { t } from '../i18n/translate.ts'
import { Dialog } from '../kit/dialog/dialog.tsx'
import { Switch } from '../kit/switch/switch.tsx'
import { Keys } from './keys.tsx'
import { useAllShortcuts } from './shortcuts.ts'
import classes from './shortcuts-help.module.css'
import { areSingleKeysOn, switchSingleKeys } from './single-keys.ts'

/** A dialog that lists the keyboard shortcuts of the current screen. */
export default function ShortcutsHelp({ onClose }: { readonly onClose: () => void }) {
  const groups = useAllShortcuts()
  const [isOn, setOn] = useState(areSingleKeysOn)
  return (
    <Dialog title={t('keyboard.helpTitle')} isOpen onClose={onClose}>
      {groups.map(({ group, shortcuts }) => (
        <section key={group} className={classes.group}>
          <h3>{group}</h3>
          <dl className={classes.list}>
            {shortcuts.map(({ keys, label }) => (
              <div key={keys} className={classes.row}>
                <dt>{label}</dt>
                <dd>
                  <Keys keys={keys} />
                </dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
      <Switch
        isSelected={isOn}
        onChange={(chosen) => {
          switchSingleKeys(chosen)
          setOn(chosen)
        }}
      >
        {t('keyboard.single')}
      </Switch>
    </Dialog>
  )
}
