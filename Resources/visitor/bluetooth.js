// The gate over Web Bluetooth: the browser's chooser, the one characteristic, values written and read.

import { TapError } from "./tap.js";

/** docs/phone-protocol.md, Bluetooth Low Energy: on-touch and classic. */
export const SERVICES = ["00005301-0010-002a-426c-756549442a00", "00005301-0000-002a-426c-756549442a00"];

/** A value that is not ready yet is asked for again, for so long. */
const READING_MILLISECONDS = 3_000;
const PAUSE_MILLISECONDS = 60;
const CONNECTING_MILLISECONDS = 10_000;

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Shows the browser's chooser. Wants a person's press just before. */
export async function choose(services) {
  try {
    const filters = services.map((service) => ({ services: [service] }));
    return await navigator.bluetooth.requestDevice({ filters, optionalServices: services });
  } catch (error) {
    throw new TapError(chooserFault(error), error);
  }
}

/** Chromium tells these apart by its sentence only. */
export function chooserFault(error) {
  const text = String(error.message).toLowerCase();
  if (error.name === "SecurityError" && text.includes("gesture")) return "press-again";
  if (text.includes("permission") || text.includes("disabled") || text.includes("policy")) return "bluetooth-denied";
  if (error.name === "SecurityError" || error.name === "NotAllowedError") return "bluetooth-denied";
  if (text.includes("adapter") || text.includes("low energy not available")) return "bluetooth-off";
  if (error.name === "NotFoundError" || error.name === "AbortError") return "nothing-chosen";
  return "connection-failed";
}

/** A connection to the gate that was chosen. */
export class Link {
  static async open(device, services) {
    const link = new Link(device);
    try {
      const server = await inTime(device.gatt.connect(), CONNECTING_MILLISECONDS);
      link.characteristic = await gateCharacteristic(server, services);
      return link;
    } catch (error) {
      const code = error instanceof TapError ? error.code : link.isOpen ? "connection-failed" : "out-of-reach";
      link.close();
      throw new TapError(code, error);
    }
  }

  constructor(device) { this.device = device; }

  get isOpen() { return this.device.gatt.connected; }

  async write(bytes) {
    try {
      await this.characteristic.writeValueWithResponse(bytes);
    } catch (error) {
      throw new TapError(await this.fault(), error);
    }
  }

  /** The gate may not have decided yet: it refuses the read, and the browser does not say with which error. */
  async read() {
    const until = performance.now() + READING_MILLISECONDS;
    for (;;) {
      try {
        const view = await this.characteristic.readValue();
        return new Uint8Array(view.buffer, view.byteOffset, view.byteLength).slice();
      } catch (error) {
        if (!this.isOpen || performance.now() > until) throw new TapError(await this.fault(), error);
        await pause(PAUSE_MILLISECONDS);
      }
    }
  }

  /** A gate that refuses a phone hangs up: that it has may be told a little later. */
  async fault() {
    if (this.isOpen) await pause(PAUSE_MILLISECONDS);
    return this.isOpen ? "connection-failed" : "hung-up";
  }

  close() {
    if (this.isOpen) this.device.gatt.disconnect();
  }
}

async function gateCharacteristic(server, services) {
  for (const service of await server.getPrimaryServices()) {
    if (!services.includes(service.uuid)) continue;
    const all = await service.getCharacteristics();
    const fitting = all.filter(({ properties }) => properties.read && properties.write);
    if (fitting.length === 1) return fitting[0];
  }
  throw new TapError("no-gate-there");
}

function inTime(promise, milliseconds) {
  const late = pause(milliseconds).then(() => { throw new TapError("out-of-reach"); });
  return Promise.race([promise, late]);
}
