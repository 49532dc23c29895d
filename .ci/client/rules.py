"""What a program in Python knows of a generated client: what is right is accepted, and each "pyright: ignore" stands behind
a mistake that is not; one that were accepted would be reported as needless."""

from made.tempestas import Character, Client, Options, OverHTTP, Problem, TaskInput, TestInput
from made.zones import Client as Zones

ada: Character = {"skills": {"navigation": 90}, "fatigue": 20}
navigation: TestInput = {"name": "navigation", "difficulty": "hard"}
task: TaskInput = {"name": "navigation", "target_value": 8}


def right() -> str:
    client = Client(OverHTTP("http://127.0.0.1:7777"))
    options: Options = {"heroic_band": "none"}
    sheet = client.test(character=ada, input=navigation, dice=[43], options=options)
    odds = client.odds_of_test(character=ada, input=navigation, outputs=["success"])
    chances: list[float] = [x["p"] for x in odds["odds"]["success"]["distribution"] if x["value"]] if "success" in odds["odds"] else []
    course = client.course_of_task(character=ada, input=task, policy=["roll"], most=3, after=2)
    pools = [x["state"]["pool"] for x in course.get("after", []) if "state" in x]
    won = [x["p"] for x in course["ends"] if x["status"] == "won"]
    play = client.start_task(character=ada, input=task, seed=7)
    if play.status == "open":
        roll = play.roll({"difficulty": "hard"}, dice={"roll": [35]})
        return f"{roll.output['outcome']} {roll.play.state['pool']}"
    return f"{sheet['output']['outcome']} {play.status} {play.output['elapsed']} {chances} {won} {pools}"


def wrong(client: Client, zones: Zones) -> None:
    sheet = client.test(character=ada, input=navigation)
    play = client.start_task(character=ada, input=task)

    # Wrong words.
    client.test(character=ada, input={"name": "x", "difficulty": "hrad"})  # pyright: ignore
    client.test(character=ada, input={"name": "x", "kind": "stat"})  # pyright: ignore
    _ = sheet["output"]["outcome"] == "sucess"  # pyright: ignore
    _ = play.status == "abandoned"  # pyright: ignore
    zones.ranged_attack(character={}, input={"weapon": "rok", "attribute": "agility", "range": "short"})  # pyright: ignore
    client.test(character=ada, input=navigation, options={"heroic_band": "sideways"})  # pyright: ignore
    client.pace(character=ada, input={"timespan": "six hours"})  # pyright: ignore

    client.odds_of_test(character=ada, input=navigation, outputs=["sucess"])  # pyright: ignore
    client.odds_of_test(character=ada, input=navigation, dice=[43])  # pyright: ignore
    client.odds_of_test(character=ada, input=navigation)["odds"]["sucess"]  # pyright: ignore
    client.course_of_task(character=ada, input=task)  # pyright: ignore
    client.course_of_task(character=ada, input=task, policy=["roll"])["ends"][0]["status"] == "abandoned"  # pyright: ignore

    # Fields that are missing.
    client.test(character=ada, input={"difficulty": "hard"})  # pyright: ignore
    client.test(character=ada, input={})  # pyright: ignore
    client.test(character=ada)  # pyright: ignore
    client.start_task(character=ada)  # pyright: ignore
    client.start_task(character=ada, input={"name": "x"})  # pyright: ignore
    client.start_contest(character=ada, input={"target_value": 5})  # pyright: ignore
    partial: TestInput = {"complications": 10}  # pyright: ignore
    client.attack(character=ada, input={"damage": 3})  # pyright: ignore

    # Values of another type.
    client.test(character={"fatigue": "20"}, input=navigation)  # pyright: ignore
    client.test(character={"skills": {"navigation": "90"}}, input=navigation)  # pyright: ignore
    client.test(character={"skills": [90]}, input=navigation)  # pyright: ignore
    client.test(character="ada", input=navigation)  # pyright: ignore
    client.test(character=ada, input={"name": 7})  # pyright: ignore
    client.test(character=ada, input={"name": None})  # pyright: ignore
    client.test(character=ada, input={"name": "x", "areas": 1})  # pyright: ignore
    client.test(character=ada, input={"name": "x", "areas": [1]})  # pyright: ignore
    client.test(character=ada, input={"name": "x", "complications": "10"})  # pyright: ignore
    client.test(character=ada, input={"name": "x", "complications": 1.5})  # pyright: ignore
    client.start_task(character=ada, input={"name": "x", "target_value": "8"})  # pyright: ignore
    client.test(character=ada, input=navigation, dice="43")  # pyright: ignore
    client.test(character=ada, input=navigation, dice=[1.5])  # pyright: ignore
    client.test(character=ada, input=navigation, dice=43)  # pyright: ignore
    client.test(character=ada, input=navigation, seed="7")  # pyright: ignore
    client.test(character=ada, input=navigation, options=["heroic_band"])  # pyright: ignore
    text: str = sheet["output"]["active_value"]  # pyright: ignore
    names: list[str] = sheet["output"]["success"]  # pyright: ignore

    # Names that nothing has.
    client.test(character=ada, input={"name": "x", "difficult": "hard"})  # pyright: ignore
    client.test(character={"skill": {}}, input=navigation)  # pyright: ignore
    client.test(charcter=ada, input=navigation)  # pyright: ignore
    client.test(character=ada, input=navigation, outputs=["success"])  # pyright: ignore
    client.test(character=ada, input=navigation, options={"heroic": "up"})  # pyright: ignore
    client.test(ada, navigation)  # pyright: ignore
    client.tset(character=ada, input=navigation)  # pyright: ignore
    client.start_test(character=ada, input=navigation)  # pyright: ignore
    client.task(character=ada, input=task)  # pyright: ignore
    _ = sheet["output"]["sucess"]  # pyright: ignore
    _ = sheet["outputs"]  # pyright: ignore
    _ = sheet.output  # pyright: ignore
    _ = play.state["pol"]  # pyright: ignore
    _ = play.output["outcome"]  # pyright: ignore
    _ = play.outcome  # pyright: ignore

    # Procedures.
    play.roll({})  # pyright: ignore
    if play.status == "open":
        play.rol({})  # pyright: ignore
        play.roll({"difficulty": "hrad"})  # pyright: ignore
        play.roll({"skill": "navigation"})  # pyright: ignore
        play.roll({}, [43])  # pyright: ignore
        play.roll({}, dice="43")  # pyright: ignore
        play.roll({}).output["sucess"]  # pyright: ignore
        play.pay().output["outcome"]  # pyright: ignore
        play.pay().play.roll({})  # pyright: ignore
        play.status = "won"  # pyright: ignore
    if play.status == "won":
        play.pay()  # pyright: ignore

    # Ways and clients.
    Client("http://127.0.0.1:7777")  # pyright: ignore
    Client()  # pyright: ignore
    other: Client = zones  # pyright: ignore
    Problem("no")  # pyright: ignore
    print(text, names, other, partial)
