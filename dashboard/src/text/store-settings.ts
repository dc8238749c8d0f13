import { catalogue } from './catalogue.ts'
import { navigation } from './navigation.ts'

export const storeSettings = catalogue({
  title: navigation.storeSettings,
  lead: [
    'Changes apply from now on. The live side and the test side have separate settings.',
    'Eine Änderung gilt ab jetzt. Live- und Testumgebung haben je eigene Einstellungen.',
    'Un cambio vale desde ahora. El lado real y el de prueba tienen ajustes propios.',
  ],
  expiry: [
    'Minutes until an unpaid order expires',
    'Minuten, bis eine unbezahlte Bestellung abläuft',
    'Minutos hasta que caduca un pedido sin pagar',
  ],
  autoReview: [
    'Days until an automatic review',
    'Tage, bis der Shop selbst eine Bewertung schreibt',
    'Días hasta que la tienda escribe una reseña',
  ],
  autoReviewHelp: ['Empty means never', 'Leer für nie', 'Vacío para nunca'],
  returns: ['Days to request a return', 'Tage für eine Rückgabe', 'Días para pedir una devolución'],
  zone: ['Time zone', 'Zeitzone', 'Zona horaria'],
  support: ['Support address', 'Adresse für Hilfe', 'Correo de ayuda'],
  change: ['Change settings', 'Einstellungen ändern', 'Cambiar ajustes'],
  changeReturnAddress: [
    'Change return address',
    'Retourenadresse ändern',
    'Cambiar la dirección de devolución',
  ],
  returnAddressLead: [
    'Where customers send goods back. Your shop reads it through the API. Empty every field to remove it.',
    'Wohin Kunden Waren zurückschicken. Ihr Shop liest sie über die API. Leeren Sie alle Felder, um sie zu entfernen.',
    'Adonde los clientes devuelven los productos. Su tienda la lee por la API. Vacíe todos los campos para quitarla.',
  ],
  returnAddress: ['Return address', 'Retourenadresse', 'Dirección de devolución'],
  planTitle: navigation.plan,
  month: [
    'Plan, and API calls of this month',
    'Plan und API-Aufrufe dieses Monats',
    'Plan y llamadas a la API de este mes',
  ],
  id: ['Store id', 'Shop-ID', 'Id de la tienda'],
  currency: ['Currency', 'Währung', 'Moneda'],
  plan: ['Plan', 'Plan', 'Plan'],
  used: ['API calls this month', 'API-Aufrufe in diesem Monat', 'Llamadas este mes'],
  quota: ['Calls per month', 'Aufrufe pro Monat', 'Llamadas al mes'],
  noLimit: ['No limit', 'Kein Limit', 'Sin límite'],
  clock: ['Test clock', 'Testuhr', 'Reloj de prueba'],
  clockLead: [
    'Moves the clock of the test side forward. Orders expire, subscriptions renew and webhooks are retried, each at its time. The clock cannot be moved back.',
    'Stellt die Uhr der Testumgebung vor. Bestellungen laufen ab, Abos verlängern sich, Webhooks werden wiederholt. Zurück geht es nicht.',
    'Adelanta el reloj del lado de prueba. Los pedidos caducan, las suscripciones se renuevan y los webhooks se reintentan. No se puede atrasar.',
  ],
  by: ['By how much', 'Um wie viel', 'Cuánto'],
  byHelp: [
    'For example, 45s, 90m, 12h or 3d',
    'Etwa 45s, 90m, 12h oder 3d',
    'Como 45s, 90m, 12h o 3d',
  ],
  advance: ['Move forward {by}', '{by} vorstellen', 'Adelantar {by}'],
  moveClock: ['Move the clock', 'Uhr vorstellen', 'Adelantar el reloj'],
  target: ['{by}, to {at}', '{by}, bis {at}', '{by}, hasta el {at}'],
  moved: [
    'The clock was moved to {at}. All due work has run:',
    'Die Uhr wurde auf {at} gestellt. Alles Fällige ist erledigt:',
    'El reloj se adelantó al {at}. Todo lo vencido se ha ejecutado:',
  ],
  now: ['The clock shows {at}.', 'Die Uhr steht auf {at}.', 'El reloj marca {at}.'],
})
