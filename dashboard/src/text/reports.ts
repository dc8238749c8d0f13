import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const reports = catalogue({
  title: navigation.reports,
  empty: [
    'No reports yet. A program reports attempts to tamper with it, such as a debugger.',
    'Ein Programm meldet Manipulationsversuche, etwa einen Debugger. Bisher gab es keine Meldung.',
    'Un programa informa de manipulaciones, como un depurador. Aún no hay informes.',
  ],
  toRules: [
    'Set report rules in an app',
    'Regeln in einer App festlegen',
    'Definir reglas en una aplicación',
  ],
  kind: ['Kind', 'Art', 'Tipo'],
  detail: ['Detection', 'Erkennung', 'Detección'],
  action: ['Action taken', 'Was geschah', 'Qué ocurrió'],
  log: ['Logged', 'Protokolliert', 'Registrado'],
  banDevice: ['Device banned', 'Gerät gesperrt', 'Dispositivo bloqueado'],
  banKey: ['Key banned', 'Schlüssel gesperrt', 'Clave bloqueada'],
  key: ['License key', 'Lizenzschlüssel', 'Clave de licencia'],
  publicSession: ['public session', 'öffentliche Sitzung', 'sesión pública'],
  when: ['Reported', 'Gemeldet', 'Informado'],
  from: ['From', 'Von', 'Desde'],
  to: ['Until', 'Bis', 'Hasta'],
})
