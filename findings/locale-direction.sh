#!/usr/bin/env bash
# Intl.Locale of V8 (Node 20.20.2, ICU 78.2) says the wrong direction for some locales: `getTextInfo()` answers
# ltr for Dhivehi (dv, Thaana), Rohingya (rhg, Hanifi) and Azerbaijani in Arabic letters (az-Arab), also when the script is
# named. The script of the maximised locale is right. Output seen: "dv Thaa ltr, rhg Rohg ltr, az-Arab Arab ltr, ar Arab rtl".
# Exits non-zero once it is mended.
set -euo pipefail
node --input-type=module <<'SCRIPT'
const told = ['dv', 'rhg', 'az-Arab', 'ar'].map((tag) => {
  const locale = new Intl.Locale(tag).maximize()
  const { direction } = locale.getTextInfo?.() ?? locale.textInfo
  return `${tag} ${locale.script} ${direction}`
})
console.log(`Node ${process.version}, ICU ${process.versions.icu}: ${told.join(', ')}`)
process.exit(told.join(', ') === 'dv Thaa ltr, rhg Rohg ltr, az-Arab Arab ltr, ar Arab rtl' ? 0 : 1)
SCRIPT
