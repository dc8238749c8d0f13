import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const deviceBans = catalogue({
  title: navigation.deviceBans,
  empty: [
    'A ban keeps a device or addresses from starting sessions of an app, with any license key.',
    'Eine Sperre hindert ein Gerät oder Adressen daran, mit irgendeinem Lizenzschlüssel Sitzungen einer App zu starten.',
    'Un bloqueo impide que un dispositivo o direcciones inicien sesiones de una aplicación, con cualquier clave.',
  ],
  banned: ['Banned', 'Gesperrt', 'Bloqueado'],
  device: ['Device {hash}', 'Gerät {hash}', 'Dispositivo {hash}'],
  addresses: ['Address or range', 'Adresse oder Bereich', 'Dirección o rango'],
  addressesHelp: [
    'For example, 203.0.113.7 or 203.0.113.0/24. A device is banned on the page of its license key.',
    'Etwa 203.0.113.7 oder 203.0.113.0/24. Ein Gerät wird auf der Seite seines Lizenzschlüssels gesperrt.',
    'Como 203.0.113.7 o 203.0.113.0/24. Un dispositivo se bloquea en la página de su clave.',
  ],
  add: ['Ban addresses', 'Adressen sperren', 'Bloquear direcciones'],
  addLead: [
    'Programs at these addresses cannot start sessions of the app. Running sessions continue.',
    'Programme an diesen Adressen starten keine Sitzung der App. Laufende Sitzungen laufen weiter.',
    'Los programas en estas direcciones no inician sesiones. Las sesiones en curso continúan.',
  ],
  until: ['Until', 'Bis', 'Hasta'],
  noEnd: ['no end', 'ohne Ende', 'sin fin'],
  withKey: ['Banned with key', 'Gesperrt mit Schlüssel', 'Bloqueado con la clave'],
  lift: ['Lift ban', 'Sperre aufheben', 'Levantar bloqueo'],
  lifted: [
    'The ban of {what} was lifted.',
    'Die Sperre von {what} wurde aufgehoben.',
    'Se levantó el bloqueo de {what}.',
  ],
  liftLead: [
    '{what} can start sessions again, if the license key allows it.',
    '{what} darf wieder Sitzungen starten, wenn der Lizenzschlüssel es darf.',
    '{what} puede volver a iniciar sesiones, si la clave lo permite.',
  ],
})
