import { catalogue } from './catalogue.ts'

/** Texts of the actions on several license keys. */
export const bulkLicenseKeys = catalogue({
  extend: ['Extend {n} {n:key|keys}', '{n} Schlüssel verlängern', 'Prolongar {n} {n:clave|claves}'],
  extendLead: [
    '{n} {n:license key becomes|license keys become} valid for longer.',
    '{n} {n:Lizenzschlüssel wird|Lizenzschlüssel werden} länger gültig.',
    '{n} {n:clave será válida|claves serán válidas} más tiempo.',
  ],
  suspend: [
    'Suspend {n} {n:key|keys}',
    '{n} Schlüssel aussetzen',
    'Suspender {n} {n:clave|claves}',
  ],
  suspendLead: [
    '{n} {n:license key|license keys} cannot be used until you resume {n:it, and its|them, and their} sessions end.',
    '{n} {n:Lizenzschlüssel kann|Lizenzschlüssel können} nicht genutzt werden, bis Sie {n:ihn|sie} fortsetzen. Die Sitzungen enden.',
    '{n} {n:clave no puede usarse|claves no pueden usarse} hasta que {n:la|las} reanude, y sus sesiones terminan.',
  ],
  resume: ['Resume {n} {n:key|keys}', '{n} Schlüssel fortsetzen', 'Reanudar {n} {n:clave|claves}'],
  resumeLead: [
    '{n} {n:license key|license keys} can be used again.',
    '{n} {n:Lizenzschlüssel darf|Lizenzschlüssel dürfen} wieder genutzt werden.',
    '{n} {n:clave puede|claves pueden} usarse de nuevo.',
  ],
  ban: ['Ban {n} {n:key|keys}', '{n} Schlüssel sperren', 'Bloquear {n} {n:clave|claves}'],
  banLead: [
    'Programs with {n} {n:license key|license keys} are refused at their next call, and their sessions end.',
    'Programme mit {n} {n:Lizenzschlüssel|Lizenzschlüsseln} werden beim nächsten Aufruf abgewiesen, und ihre Sitzungen enden.',
    'Los programas con {n} {n:clave|claves} se rechazan en su próxima llamada y sus sesiones terminan.',
  ],
  unban: [
    'Lift the ban of {n} {n:key|keys}',
    'Sperre von {n} {n:Schlüssel|Schlüsseln} aufheben',
    'Levantar el bloqueo de {n} {n:clave|claves}',
  ],
  unbanLead: [
    '{n} {n:license key|license keys} can be used again, and so can devices that were banned with {n:it|them}.',
    '{n} {n:Lizenzschlüssel darf|Lizenzschlüssel dürfen} wieder genutzt werden, mit {n:ihm|ihnen} gesperrte Geräte auch.',
    '{n} {n:clave puede|claves pueden} usarse de nuevo, y también los dispositivos bloqueados con {n:ella|ellas}.',
  ],
})
