import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const clientSessions = catalogue({
  title: navigation.clientSessions,
  lead: [
    'Programs that run with a license, those with the latest heartbeat first.',
    'Programme, die mit einer Lizenz laufen, die mit dem neuesten Lebenszeichen zuerst.',
    'Programas que se ejecutan con una licencia, primero los de la señal más reciente.',
  ],
  empty: [
    'No program has started a session yet.',
    'Noch kein Programm hat eine Sitzung begonnen.',
    'Ningún programa ha iniciado una sesión todavía.',
  ],
  toRehearsal: ['Run a rehearsal', 'Probelauf starten', 'Hacer un ensayo'],
  live: ['Live', 'Läuft', 'En curso'],
  ended: ['Ended', 'Beendet', 'Terminada'],
  lapsed: ['Lapsed', 'Abgelaufen', 'Caducada'],
  deviceId: ['Device id', 'Geräte-ID', 'Id del dispositivo'],
  license: ['License', 'Lizenz', 'Licencia'],
  noLicense: ['public', 'öffentlich', 'pública'],
  end: ['End sessions', 'Sitzungen beenden', 'Terminar sesiones'],
  endSessionsOf: [
    'End the sessions of …{key}',
    'Sitzungen von …{key} beenden',
    'Terminar las sesiones de …{key}',
  ],
})
