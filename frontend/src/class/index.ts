// The pages of a class: a student's, and the wall.

import { SocketModel } from "../connection/socket_model";
import { element } from "../dom/element";
import { StudentPage } from "./student_page";
import { WallPage } from "./wall_page";

const place = document.getElementById("aew-class") ?? document.body;
const isWall = document.body.dataset.shows === "wall";

const address = new URL(isWall ? "wall" : "student", location.href);
address.protocol = address.protocol === "https:" ? "wss:" : "ws:";

function showRefusal(reason: string): void {
  place.replaceChildren(element("p", { class: "aew-refusal", role: "alert" }, reason));
}

if (isWall) new WallPage(new SocketModel(address, showRefusal), place);
else void new StudentPage(new SocketModel(address, showRefusal), place).begin();
